import { expect, test } from 'vitest';
import { eventOfOperation } from '../../console/src/screens/audit/event-of-operation.ts';
import { strings } from '../../console/src/strings/strings.ts';
import { accountRoutes } from '../../contract/account/api.ts';
import { isAudited } from '../../contract/define.ts';
import { allRoutes } from '../../contract/integration/api.ts';

test('The console has a label for every operation in the audit log, and no other labels', () => {
  const changes = [...accountRoutes, ...allRoutes].filter(isAudited).map(({ method, path }) => `${method} ${path}`);
  const labelled = Object.keys({ ...strings.audit.operations, ...eventOfOperation });
  expect(labelled.sort()).toEqual([...new Set(changes)].sort());
});
