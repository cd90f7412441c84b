import { expect, test } from 'vitest';
import type { Template } from '../../packages/local-cloud/src/templates.ts';
import { newTenant, withLocal } from '../support/local.ts';

/** Removes one action from one function's policy in the template of one stack. */
function without(stack: string, functionName: string, action: string) {
  return (templates: readonly Template[]): void => {
    let removed = 0;
    for (const { stackName, resources } of templates) {
      if (!stackName.endsWith(stack)) continue;
      for (const [id, { Type, Properties }] of Object.entries(resources)) {
        if (!Type.startsWith('AWS::IAM::') || !id.includes(functionName)) continue;
        for (const statement of statementsIn(Properties)) {
          const actions = [statement.Action].flat();
          if (!actions.includes(action)) continue;
          const left = actions.filter((one) => one !== action);
          statement.Action = left.length > 0 ? left : ['dynamodb:DescribeEndpoints'];
          removed++;
        }
      }
    }
    if (removed !== 1) throw new Error(`${functionName} was granted ${action} ${removed} times, not once`);
  };
}

interface Statement {
  Action: string | string[];
}

function statementsIn(value: unknown): Statement[] {
  if (Array.isArray(value)) return value.flatMap(statementsIn);
  if (value === null || typeof value !== 'object') return [];
  if ('Effect' in value && 'Action' in value) return [value as unknown as Statement];
  return Object.values(value).flatMap(statementsIn);
}

const local = withLocal({ mutateTemplates: without('integration-api', 'ListServices', 'dynamodb:Query') });

test('A missing IAM permission fails in the local run as in AWS, and the log names function, action and resource', async () => {
  const tenant = await newTenant(local());
  expect((await tenant.call('GET', '/business')).status).toBe(200);
  expect(await tenant.call('GET', '/services')).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  const lines = local().run.log.lines.map(({ functionName, text }) => `${functionName} ${text}`);
  const denial = lines.find((line) => line.includes('is not authorized to perform'));
  expect(denial).toMatch(/list-services/i);
  expect(denial).toMatch(/dynamodb:Query/);
  expect(denial).toMatch(/arn:aws:dynamodb:[^ ]*table\/[^ ]*ecords/i);
});
