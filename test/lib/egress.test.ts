/** Fixed addresses for integrators with an allow list: functions that call receivers use them, and no others do. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Assembly, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

const gatewayDollars = 32.85;
const addressDollars = 3.65;

const fixed = await synthesisedAs(variants['all settings']);

const inNetwork = (assembly: Assembly) =>
  assembly
    .ofType('AWS::Lambda::Function')
    .filter(({ properties }) => properties.VpcConfig !== undefined)
    .map(({ properties }) => String(properties.FunctionName))
    .sort();

test('With fixed egress IP addresses, only functions that call webhook receivers are in the VPC, which has two fixed addresses', () => {
  const callers = fixed
    .ofType('AWS::Lambda::Function')
    .map(({ properties }) => String(properties.FunctionName))
    .filter((name) => /-(?:deliver|ping)-webhook/.test(name));
  expect(inNetwork(fixed)).toEqual(callers.sort());
  expect(callers.length).toBeGreaterThanOrEqual(3);
  expect(fixed.ofType('AWS::EC2::NatGateway')).toHaveLength(2);
  expect(fixed.ofType('AWS::EC2::EIP')).toHaveLength(2);
  expect(fixed.ofType('AWS::EC2::VPCEndpoint')).toHaveLength(1);
});

test('docs/cost.md shows the monthly price of the VPC with fixed IP addresses', () => {
  const dollars =
    fixed.ofType('AWS::EC2::NatGateway').length * gatewayDollars +
    fixed.ofType('AWS::EC2::EIP').length * addressDollars;
  expect(readFileSync(new URL('../../docs/cost.md', import.meta.url), 'utf8')).toContain(
    `$${dollars.toFixed(2)} in all`,
  );
});

test('A stage without fixed egress IP addresses has no VPC', async () => {
  const assembly = await synthesised();
  expect(assembly.resources.filter(({ type }) => type.startsWith('AWS::EC2::'))).toEqual([]);
  expect(inNetwork(assembly)).toEqual([]);
});
