#!/usr/bin/env node
/** The official conformance suite of the Model Context Protocol against `POST /mcp` of a local run. */
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { integrationPrefix } from '../../contract/prefixes.ts';
import { adminOf } from '../../local/admin.ts';
import { createBusiness, createKey } from '../../local/seed.ts';
import { startLocal } from '../../local/start-local.ts';
import { readFlags, runCommand } from '../command-line.ts';
import { exitCodeOf, startTool } from '../tool.ts';

const help = `Starts the system and runs the scenarios of @modelcontextprotocol/conformance that a server of tools can be asked.
Ends with 0 when all pass.

  npm run prove -- conformance`;

/** All others call tools, prompts or resources of a server that was written for the suite, or ask for streams. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

async function run(args: readonly string[]): Promise<void> {
  if (readFlags(args, { help: { type: 'boolean', default: false } }).help) return console.log(help);
  const local = await startLocal({ port: 0, workersPerFunction: 1, progress: (line) => console.error(line) });
  const admin = adminOf(local);
  const { business } = await createBusiness(admin);
  const { value } = await createKey(admin, { tenantId: business.id, agents: true });
  const { host: localHost, hostname, port } = new URL(local.baseUrl);
  // The suite cannot send a key. What else it sends passes through, a foreign host included.
  const proxy = createServer((incoming, outgoing) => {
    const ownHost = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const host = incoming.headers.host === ownHost ? localHost : incoming.headers.host;
    const headers = { ...incoming.headers, host, 'x-api-key': value };
    const options = { hostname, port, path: `${integrationPrefix}/mcp`, method: incoming.method, headers };
    const passed = ask(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  try {
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    for (const scenario of scenarios) {
      // It writes its results into the folder that it runs in.
      const child = startTool('conformance', ['server', '--url', url, '--scenario', scenario], { cwd: tmpdir() });
      process.exitCode ||= await exitCodeOf(child);
    }
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    admin.db.destroy();
    await local.stop();
  }
}

await runCommand(run);
