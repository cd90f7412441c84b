import { expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { fail } from '../../core/errors.ts';

test('An error has the message of the catalogue or its own, and its cause is only logged', () => {
  const cause = new Error('why');
  expect(fail('not_found')).toMatchObject({ code: 'not_found', ...errors.not_found });
  expect(fail('not_found', { message: 'No such thing.', cause })).toMatchObject({
    name: 'ApiError',
    message: 'No such thing.',
    cause,
  });
});
