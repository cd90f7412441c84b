import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Document, differences, surfaceOf } from '../../bin/surface.ts';

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

type Schema = { description: string; properties: Record<string, object>; required: string[]; enum: string[] };
type Editable = { paths: Record<string, object>; components: { schemas: Record<string, Schema> } };

/** A component of the document, which a test may change. */
function schema({ components }: Editable, name: string): Schema {
  const found = components.schemas[name];
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

function changed(change: (document: Editable) => void): readonly string[] {
  const document = JSON.parse(text) as Document & Editable;
  change(document);
  return differences(surfaceOf(JSON.parse(text) as Document), surfaceOf(document)).map(
    ({ verdict, sentence }) => `${verdict}: ${sentence}`,
  );
}

test('the same document has no differences, and other words are none', () => {
  expect(
    changed((document) => {
      schema(document, 'Booking').description = 'Other words.';
      schema(document, 'Booking').properties.comment = {
        ...schema(document, 'Booking').properties.comment,
        description: 'Other words.',
      };
    }),
  ).toEqual([]);
});

test('a new endpoint and its schema are one line each, whatever they demand', () => {
  const before = new Map([['endpoint GET /business', '200']]);
  const after = new Map([
    ...before,
    ['endpoint POST /rooms', '201'],
    ['error POST /rooms not_found', ''],
    ['field taken RoomCreate.name', 'string, required'],
    ['parameter POST /rooms id', 'integer, required'],
  ]);
  expect(differences(before, after)).toEqual([
    { verdict: 'New', sentence: 'endpoint `POST /rooms` added (is 201)' },
    { verdict: 'New', sentence: 'schema `RoomCreate` added' },
  ]);
});

describe('breaking', () => {
  test.each<[string, (document: Editable) => void, string]>([
    [
      'an endpoint that is gone',
      ({ paths }) => delete paths['/business'],
      'Breaking: endpoint `GET /business` removed (was 200)',
    ],
    [
      'a field that is no longer sent',
      (document) => delete schema(document, 'Booking').properties.comment,
      'Breaking: field sent `Booking.comment` removed (was string or null, required)',
    ],
    [
      'a field of another type',
      (document) => {
        schema(document, 'Booking').properties.id = { type: 'string' };
      },
      'Breaking: field sent `Booking.id` of another type (was integer, required, is string, required)',
    ],
    [
      'a field that is demanded now',
      (document) => schema(document, 'BookingCreate').required.push('externalId'),
      'Breaking: field taken `BookingCreate.externalId` of another type (was string, is string, required)',
    ],
    [
      'a new field that is demanded',
      (document) => {
        schema(document, 'BookingCreate').properties.colour = { type: 'string' };
        schema(document, 'BookingCreate').required.push('colour');
      },
      'Breaking: field taken `BookingCreate.colour` added as required (is string, required)',
    ],
    [
      'a value that is gone',
      (document) => schema(document, 'BookingStatus').enum.pop(),
      'Breaking: value `BookingStatus cancelled` removed',
    ],
  ])('%s', (_, change, sentence) => expect(changed(change)).toContain(sentence));
});

describe('new', () => {
  test.each<[string, (document: Editable) => void, string]>([
    [
      'a field more in an answer',
      (document) => {
        schema(document, 'Booking').properties.colour = { type: 'string' };
        schema(document, 'Booking').required.push('colour');
      },
      'New: field sent `Booking.colour` added as required (is string, required)',
    ],
    [
      'a field that may be sent to us',
      (document) => {
        schema(document, 'BookingCreate').properties.colour = { type: 'string' };
      },
      'New: field taken `BookingCreate.colour` added (is string)',
    ],
    [
      'a field that is not demanded any more',
      (document) => {
        schema(document, 'BookingCreate').required = ['serviceId'];
      },
      'Changed: field taken `BookingCreate.startTime` no longer required (was string date-time, required, is string date-time)',
    ],
  ])('%s', (_, change, sentence) => expect(changed(change)).toContain(sentence));
});
