#!/usr/bin/env node
/** Runs the official conformance suite of the Model Context Protocol against `POST /mcp` of a local run. */
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { integrationPrefix } from '../../contract/prefixes.ts';
import { readFlags, runCommand, UsageError } from '../command-line.ts';
import { exitCodeOf, startTool } from '../tool.ts';

const help = `Starts the system, and runs the scenarios of @modelcontextprotocol/conformance that apply to a server with tools. Prints the
other scenarios with the reason why they do not apply. The exit code is 0 if all scenarios pass.

  npm run prove -- conformance [flags]

  --scenario NAME  runs only this scenario of \`npx conformance list --server\`, even if it does not apply; may be repeated
  --help`;

/** The reasons why scenarios are not run. A scenario without a row is run, so that new ones of the suite are. */
const notApplicable: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^prompts-/, 'The server offers no prompts.'],
  [/^resources-/, 'The server offers no resources.'],
  [/^completion-/, 'Completion is for arguments of prompts and resources, which the server does not offer.'],
  [/^logging-|-with-logging$/, 'Log messages need a stream, but each response of the server is one message.'],
  [/^server-sse-|-with-progress$/, 'The server sends no streams.'],
  [/-sampling$/, 'The server never asks the client for a completion.'],
  [/elicitation/, 'The server never asks the client for input.'],
  [/^tools-call-|^json-schema-/, "The scenario calls a tool that only the suite's own test server has."],
];

async function scenariosOfSuite(): Promise<readonly string[]> {
  const child = startTool('conformance', ['list', '--server'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [listed] = await Promise.all([text(child.stdout as Readable), exitCodeOf(child)]);
  const names = [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error('The suite lists no scenarios.');
  return names;
}

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, { scenario: { type: 'string', multiple: true } });
  const all = await scenariosOfSuite();
  const unknown = flags.scenario?.find((scenario) => !all.includes(scenario));
  if (unknown !== undefined) throw new UsageError(`--scenario: the suite has no scenario '${unknown}'.`);
  const [{ startLocal }, { adminOf }, { createBusiness, createKey }] = await Promise.all([
    import('../../local/start-local.ts'),
    import('../../local/admin.ts'),
    import('../../local/seed.ts'),
  ]);
  const local = await startLocal({ port: 0, workersPerFunction: 1, progress: (line) => console.error(line) });
  const admin = adminOf(local);
  const { business } = await createBusiness(admin);
  const { value } = await createKey(admin, { tenantId: business.id, agents: true });
  const { host: localHost, hostname, port } = new URL(local.baseUrl);
  // The suite cannot send a key. All other parts of its requests pass unchanged, including a foreign host.
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
  const left: string[] = [];
  try {
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    for (const scenario of flags.scenario ?? all) {
      const [, reason] = flags.scenario ? [] : (notApplicable.find(([name]) => name.test(scenario)) ?? []);
      if (reason) {
        left.push(`  ${scenario}: ${reason}`);
        continue;
      }
      // The suite writes its results into its working directory.
      const child = startTool('conformance', ['server', '--url', url, '--scenario', scenario], { cwd: tmpdir() });
      const code = await exitCodeOf(child);
      process.exitCode ||= code;
    }
    console.log(`\nNot applicable:\n${left.join('\n')}`);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    admin.db.destroy();
    await local.stop();
  }
}

await runCommand(run);
