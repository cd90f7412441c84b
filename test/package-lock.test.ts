import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: true;
  /** Whether this is a folder of this project. */
  readonly link?: true;
  /** Whether it is part of another package, which npm installs as it is. */
  readonly inBundle?: true;
  readonly optional?: true;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  /** The commands of the package; a single one may have the package's name. */
  readonly bin?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as T;
}

const { packages } = read<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json');
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));

test('package-lock.json contains the packages of every platform, so that `npm ci` works everywhere', () => {
  const missing = Object.entries(packages).flatMap(([path, { inBundle, optionalDependencies = {} }]) =>
    Object.keys(inBundle ? {} : optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('package-lock.json contains a hash of every package that can be installed on any platform', () => {
  const without = installed.filter(
    ([, { integrity, link, inBundle }]) => !link && !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(without.map(([path]) => path)).toEqual([]);
});

test('Of all npm packages, only esbuild runs a script when it is installed', () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  const { allowScripts } = read<{ allowScripts: Readonly<Record<string, boolean>> }>('package.json');
  expect(scripted).toEqual(Object.keys(allowScripts).map((name) => `node_modules/${name}`));
  // Its script checks the binary that another locked package contains.
  expect(scripted).toEqual(['node_modules/esbuild']);
});

test('package-lock.json names no registry, so that npm uses the configured registry', () => {
  expect(installed.flatMap(([, { resolved = '' }]) => (resolved.includes('://') ? [resolved] : []))).toEqual([]);
});

/** Platforms in the form of `process.platform` and `process.arch`. */
const platforms = ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64'];

test('On every platform, npm installs one Node.js package, with the major version that runs in AWS Lambda', () => {
  const nodes = installed.filter(([, { bin }]) => bin?.node !== undefined).map(([, locked]) => locked);
  expect(nodes.map(({ os, cpu }) => `${os} ${cpu}`).toSorted()).toEqual(platforms);
  for (const { version, optional } of nodes) {
    expect(version).toMatch(/^24\.\d+\.\d+$/);
    expect(optional).toBe(true);
  }
});
