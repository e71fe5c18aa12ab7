// A world of the sandbox for each test, which makes tests that run in parallel safe; copy this file into your tests.
//
//     import { sandboxTest } from "./sandbox.mjs";
//     sandboxTest("a phone", async (sandbox) => { await sandbox.api("POST", "/wallet/apple/devices", { kind: "phone" }); });
//
// When a test fails, its report shows what the sandbox was asked, what it answered, and why.

import crypto from "node:crypto";
import test from "node:test";

const {
  API = "http://127.0.0.1:8080",
  CONTROL = "http://127.0.0.1:8081",
  CONTROL_TOKEN, // where the control API wants one
} = process.env;

/** An answer that is not 2xx: the network's code is in the body, the sandbox's reasons are in the diagnosis. */
export class Refused extends Error {
  constructor(method, url, status, diagnosis, body) {
    super(`${method} ${url}: ${status} ${diagnosis} ${body}`);
    Object.assign(this, { status, diagnosis, body });
  }
}

export class Sandbox {
  tenant = `node-${crypto.randomUUID()}`;

  api(method, path, body) {
    return this.#call(method, `${API}/t/${this.tenant}${path}`, body, {});
  }

  control(method, path, body) {
    const headers = { "x-sandbox-tenant": this.tenant };
    if (CONTROL_TOKEN) headers.authorization = `Bearer ${CONTROL_TOKEN}`;
    return this.#call(method, CONTROL + path, body, headers);
  }

  async #call(method, url, body, headers) {
    headers["content-type"] = "application/json";
    const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(method, url, answer.status, answer.headers.get("x-sandbox-diagnosis"), text);
    return text ? JSON.parse(text) : null;
  }

  /** What happened in the test, oldest first, with each check that was not passed. */
  async journal() {
    const { items } = await this.control("GET", "/v1/journal?limit=200");
    return items.reverse().flatMap(({ status, operation, diagnosis, checks }) => [
      `${status} ${operation} ${diagnosis.join(" ")}`,
      ...checks.filter((check) => !check.passed).map((check) => `    ${JSON.stringify(check)}`),
    ]);
  }
}

export function sandboxTest(name, run) {
  test(name, async (context) => {
    const sandbox = new Sandbox();
    await sandbox.control("POST", "/v1/tenants", { name: sandbox.tenant });
    try {
      await run(sandbox, context);
    } catch (error) {
      for (const line of await sandbox.journal()) context.diagnostic(line);
      throw error;
    } finally {
      await sandbox.control("DELETE", `/v1/tenants/${sandbox.tenant}`);
    }
  });
}
