// select.h first: libevent's headers define _GNU_SOURCE, and fd_set must have one definition with Glibc's module.
#include <sys/select.h>

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/thread.h>
#include <event2/util.h>
#include <netdb.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Swift does not import enumerations of flags and casts in macros; these keep the names after the prefix.
static const unsigned shim_LEV_OPT_CLOSE_ON_FREE = LEV_OPT_CLOSE_ON_FREE;
static const unsigned shim_LEV_OPT_CLOSE_ON_EXEC = LEV_OPT_CLOSE_ON_EXEC;
static const int shim_BEV_OPT_CLOSE_ON_FREE = BEV_OPT_CLOSE_ON_FREE;
static const int shim_EVLOOP_ONCE = EVLOOP_ONCE;
static const int shim_EVLOOP_NONBLOCK = EVLOOP_NONBLOCK;
static const short shim_EV_TIMEOUT = EV_TIMEOUT;
static const short shim_EV_READ = EV_READ;
static const short shim_EV_WRITE = EV_WRITE;
static const short shim_EV_PERSIST = EV_PERSIST;
static const short shim_EV_ET = EV_ET;
static const short shim_BEV_EVENT_EOF = BEV_EVENT_EOF;
static const short shim_BEV_EVENT_ERROR = BEV_EVENT_ERROR;
static const short shim_BEV_EVENT_CONNECTED = BEV_EVENT_CONNECTED;
static const short shim_BEV_EVENT_WRITING = BEV_EVENT_WRITING;
static const int shim_DNS_OPTIONS_ALL = DNS_OPTIONS_ALL;

// A counter that wakes the loop: never blocks, not inherited by child processes.
static inline int shim_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

