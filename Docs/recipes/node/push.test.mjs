// What an issuer's team wants to know of its push, with ../../clients/push.mjs as its backend and app.

import assert from "node:assert/strict";
import * as push from "../../clients/push.mjs";
import { sandboxTest } from "./sandbox.mjs";

const state = async (sandbox, token) => (await sandbox.control("GET", `/v1/tokens/${token}`)).state;

for (const [scheme, { network, pan }] of Object.entries(push.CARDS)) {
  sandboxTest(`${scheme}: a pushed card is active`, async (sandbox) => {
    const made = await push.push(scheme, sandbox.tenant);
    assert.equal(made.decision, "green");
    assert.equal(await state(sandbox, made.tokenId), "active");
  });

  // A card typed into Wallet by hand comes without the issuer's activation data: it waits for a code.
  sandboxTest(`${scheme}: a card typed in is activated with a code`, async (sandbox) => {
    const card = { issuerCardRefId: "typed-in", pan, exp: "1230", cardHolderName: "ANA PRUEBA" };
    await sandbox.control("POST", "/v1/cards", { issuerId: push.ISSUER, ...card });
    const { deviceId } = await sandbox.api("POST", "/wallet/apple/devices", { kind: "phone" });
    const cvv = scheme === "AMEX" ? "1234" : "123";
    const entry = { pan, expiration: "12/30", name: "ANA PRUEBA", cvv, paymentNetwork: network };
    const made = await sandbox.api("POST", `/wallet/apple/devices/${deviceId}/manual-entries`, entry);
    assert.equal(made.decision, "yellow");
    assert.equal(await state(sandbox, made.tokenId), "inactive");

    const path = `/wallet/apple/devices/${deviceId}/passes/${made.pass.serialNumber}`;
    await sandbox.api("POST", `${path}/activation-code`, { method: made.pass.activationMethods[0].id });
    const { items } = await sandbox.control("GET", `/v1/activation-codes?tokenId=${made.tokenId}`);
    await sandbox.api("POST", `${path}/activate`, { activationCode: items[0].code });
    assert.equal(await state(sandbox, made.tokenId), "active");
  });

  sandboxTest(`${scheme}: the network is down once`, async (sandbox) => {
    await sandbox.control("POST", "/v1/faults", {
      match: { operation: "tpc.generateAddPaymentPassRequest" },
      effect: { respond: { status: 503, body: "down for maintenance" } },
      trigger: { times: 1 },
    });
    await assert.rejects(push.push(scheme, sandbox.tenant), { status: 503 });
    assert.equal((await push.push(scheme, sandbox.tenant)).decision, "green");
  });
}
