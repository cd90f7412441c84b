/** A real browser for tests: on linux-x64 the one that npm installs, elsewhere the Chrome of the machine. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, describe, onTestFailed, onTestFinished } from 'vitest';
import { configPath } from '../../site/config.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** An open page, with the errors and foreign requests that it caused. */
export interface OpenPage {
  readonly page: Page;
  /** URLs outside the origin that the page requested. None of the requests is answered. */
  readonly foreign: readonly string[];
  /** Errors of the browser's console, including violations of the content security policy. */
  readonly errors: readonly string[];
}

/** Opens `path` of the origin in its own browser context, which closes with the test. */
export type Open = (origin: string, path: string, options?: BrowserContextOptions) => Promise<OpenPage>;

/**
 * Opens `path` in a tab that closes with the test, with these entries in its session storage. All tabs of an origin
 * share one process, which has compiled the scripts already, and one context, whose cookies and local storage are
 * cleared when a test ends.
 */
export type OpenTab = (origin: string, path: string, session?: Session) => Promise<OpenPage>;

export type Session = readonly (readonly [name: string, value: string])[];

/** Resolves only addresses of this machine, which is cheaper than to intercept each request. */
const noForeignHosts = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** The library's 30 seconds are too short for the API reference on a busy machine. */
const timeoutMs = 120_000;

/** Lets tabs of one origin in a context share a process: starting a process and compiling scripts takes longest. */
const oneProcess = '--process-per-site';

/**
 * A page of a test ends before optimised code pays off: to compile it took a quarter of the browser's time. Scripts are
 * not parsed in the background while they load, because most are compiled already. The parsing took a third of the time
 * to load the console.
 */
const lessCompiling = '--js-flags=--no-turbofan --no-maglev --no-script-streaming';

const args = [noForeignHosts, oneProcess, lessCompiling];

const executablePath = process.platform === 'linux' && process.arch === 'x64' ? await unpacked() : undefined;
const browser = await chromium
  .launch(
    executablePath === undefined
      ? { channel: 'chrome', args }
      : // Without the sandbox, which containers have no right to; the package's other options would weaken the policy.
        { executablePath, args: ['--no-sandbox', ...args] },
  )
  .catch((error: Error) => error);
if (browser instanceof Error) {
  const [reason] = browser.message.split('\n');
  if (process.env.CI) throw new Error(`No browser starts: ${reason}`);
  process.stdout.write(`Tests in a browser are skipped, because none starts: ${reason}\n`);
}

/** Disables the blur behind dialogs, which is slow without a graphics card. No axe rule depends on it. */
const withoutBlur = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { backdrop-filter: none !important }');
  document.adoptedStyleSheets = [sheet];
}`;

/** `npm run prove -- clocks` shifts the clock of Node.js. Pages must have the same time. */
const shiftMs = Math.round(Date.now() - performance.timeOrigin - performance.now());
const isShifted = Math.abs(shiftMs) > 60_000;

/** Runs in the page before its scripts. */
function shiftClock(ms: number) {
  const trueNow = Date.now;
  Date.now = () => trueNow() + ms;
  globalThis.Date = new Proxy(Date, {
    apply: () => new Date().toString(),
    construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [Date.now()] : given, target),
  });
}

/** A block of tests that share a browser. Without one they are skipped, and fail in CI. */
export function inChromium(name: string, tests: (open: Open, openTab: OpenTab) => void): void {
  describe.skipIf(browser instanceof Error)(name, () => {
    let shared: Promise<SharedContext> | undefined;
    afterAll(() => running().close());

    tests(
      async (origin, path, options = {}) => {
        const context = await newContext(options);
        onTestFinished(() => context.close());
        return openPage(context, origin, path);
      },
      async (origin, path, session) => {
        shared ??= shareContext(origin);
        const { context, tidy } = await shared;
        onTestFinished(tidy);
        return openPage(context, origin, path, session);
      },
    );
  });
}

interface SharedContext {
  readonly context: BrowserContext;
  /** Clears cookies and local storage for the next test. */
  tidy(): Promise<void>;
}

/** Keeps one tab open at a file without scripts, because the process of an origin ends with its last tab. */
async function shareContext(origin: string): Promise<SharedContext> {
  const context = await newContext({ reducedMotion: 'reduce' });
  const { page: keeper } = await openPage(context, origin, configPath);
  return {
    context,
    async tidy() {
      await Promise.all(context.pages().map((page) => page !== keeper && page.close()));
      await context.clearCookies();
      await keeper.evaluate('localStorage.clear()');
    },
  };
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await running().newContext({ viewport: { width: 1_280, height: 860 }, ...options });
  context.setDefaultTimeout(timeoutMs);
  if (!process.env.PICTURES) await context.addInitScript(withoutBlur);
  if (isShifted) await context.addInitScript(shiftClock, shiftMs);
  return context;
}

async function openPage(
  context: BrowserContext,
  origin: string,
  path: string,
  session: Session = [],
): Promise<OpenPage> {
  const page = await context.newPage();
  // A request that a test answers may be under way when the test ends.
  onTestFinished(async () => {
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
  if (session.length > 0) await page.addInitScript(startSession, session);
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on('requestfailed', (request) => {
    const url = new URL(request.url());
    const isOurs = url.origin === origin || ['data:', 'blob:'].includes(url.protocol);
    // A request that the content security policy blocks was never sent.
    if (!isOurs && request.failure()?.errorText !== 'csp') foreign.push(url.href);
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', ({ message }) => errors.push(message));
  onTestFailed(() => {
    process.stderr.write(`Errors on ${page.url()}: ${errors.join('\n') || 'none'}\n`);
  });
  await page.goto(`${origin}${path}`);
  return { page, foreign, errors };
}

/** Runs in the page before its scripts, but only once per tab. */
function startSession(entries: Session) {
  if (sessionStorage.length > 0) return;
  for (const [name, value] of entries) sessionStorage.setItem(name, value);
}

function running(): Browser {
  if (browser instanceof Error) throw browser;
  return browser;
}

/** The rules of axe that depend on colours. All others depend on the content only. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block'] as const;

/** The violations that axe finds in the page, by all rules or by these: `rule: selector`. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // An expression of the test works with a content security policy that has no `unsafe-eval`.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  return page.evaluate(reportViolations, options as object);
}

/** Runs in the page: the whole result of axe, which also lists what is in order, is much larger. */
async function reportViolations(options: object): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
  const results = await axe.run(options);
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Unpacks the browser to its own folder. In the temporary folder the package would use a browser of any version. */
async function unpacked(): Promise<string> {
  const manifest = join(require.resolve('@sparticuz/chromium'), '../../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(project, '.build', `chromium-${version}`);
  const binary = join(folder, 'chromium');
  if (existsSync(binary)) return binary;
  const making = `${folder}-making-${process.pid}-${Date.now()}`;
  await mkdir(making, { recursive: true });
  const code = "(await import('@sparticuz/chromium')).default.executablePath()";
  const env = { ...process.env, TMPDIR: making };
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `await ${code}`], {
    cwd: project,
    env,
  });
  // If two files unpack at the same time, the second uses the folder of the first.
  await rename(making, folder).catch(async (error) => {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(binary)) throw error;
  });
  return binary;
}
