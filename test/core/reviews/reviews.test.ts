/** A completed visit has one review, the owner's reply, and a part in the summary of lists (docs/rules.md#reviews). */
import { expect, test } from 'vitest';
import { listReviews, type ReviewsQuery } from '../../../core/reviews/list.ts';
import { at } from '../../support/account.ts';
import { type Row, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const createdAt = new Date(testNow).toISOString();

type Answered = Readonly<Record<string, readonly { readonly sk?: unknown }[]>>;

async function testBusiness() {
  const { key, account: owner, services, staff, bookAsOwner } = await fixture.business();
  const [[haircut, , beard], [anna, , janis]] = [services, staff];
  const book = (serviceId: number, staffId: number, clock: string, name = 'Jane') =>
    bookAsOwner(timeOf(clock), { serviceId, staffId, client: { name, email: 'jane@example.com' } });
  const visit = async (...booked: Parameters<typeof book>) =>
    (await owner('completeBooking', at((await book(...booked)).id))).json;
  const review = (booking: { id?: unknown }, more: object) =>
    owner('createReview', { body: { bookingId: booking.id, ...more } });
  return { key, owner, haircut: haircut.id, beard: beard.id, anna: anna.id, janis: janis.id, book, visit, review };
}

test("A review raises one event and counts towards the rating of the booking's staff member", async () => {
  const { key, owner, haircut, anna, visit, review } = await testBusiness();
  const booking = await visit(haircut, anna, '09:00');
  const body = { rating: 5, text: 'Quick and kind.', authorName: 'J. D.' };
  const { status, json } = await review(booking, body);
  const reported = { bookingId: booking.id, staffId: anna, serviceId: haircut, rating: 5, text: body.text, createdAt };
  expect(status).toBe(201);
  expect(json).toEqual({ ...reported, id: expect.any(Number), authorName: 'J. D.', reply: null });
  const raised = (await fixture.events(key.tenantId)).filter(({ name }) => name === 'review.created');
  expect(raised).toMatchObject([{ occurredAt: createdAt }]);
  expect(raised[0]?.data).toEqual({ ...reported, reviewId: json.id, clientId: booking.clientId });
  await review(await visit(haircut, anna, '10:00'), { rating: 4 });
  await review(await visit(haircut, anna, '11:00'), { rating: 2 });
  expect((await owner('getStaffMember', at(anna))).json).toMatchObject({ rating: 3.67, reviewsCount: 3 });
});

test('A review without an author name shows the first name and initial of the client', async () => {
  const { haircut, anna, visit, review } = await testBusiness();
  const unsigned = await review(await visit(haircut, anna, '09:00'), { rating: 1 });
  expect(unsigned.json).toMatchObject({ rating: 1, text: '', authorName: 'Jane' });
  const booking = await visit(haircut, anna, '10:00', 'Jane Mary  \u{1F600}Doe');
  const { json } = await review(booking, { rating: 5 });
  expect(json).toMatchObject({ authorName: 'Jane \u{1F600}.' });
});

test('A completed booking can be reviewed once, and no other booking can be reviewed', async () => {
  const { owner, haircut, anna, book, visit, review } = await testBusiness();
  const open = await book(haircut, anna, '09:00');
  const done = await visit(haircut, anna, '10:00');
  await review(done, { rating: 3 });
  const refusals = [
    [{ id: 1 }, 404, 'not_found', 'There is no such booking.'],
    [open, 409, 'invalid_state', 'Only a completed booking can be reviewed, but this booking is confirmed.'],
    [done, 409, 'review_exists', 'This booking already has a review.'],
  ] as const;
  for (const [booking, statusCode, code, message] of refusals) {
    expect((await review(booking, { rating: 5 })).json).toMatchObject({ statusCode, code, message });
  }
  expect((await owner('listReviews')).json).toMatchObject({ summary: { count: 1, averageRating: 3 } });
});

test('Two reviews that are created concurrently both count towards the rating of the staff member', async () => {
  const { key, owner, haircut, anna, visit, review } = await testBusiness();
  const [first, second] = [await visit(haircut, anna, '09:00'), await visit(haircut, anna, '10:00')];
  // A batch may read two items at different times.
  const torn: Row = {
    when: ({ operation, input }) => operation === 'BatchGetItem' && JSON.stringify(input).includes('RATING#staff'),
    nth: 1,
    answer: async (_, send) => {
      const rating = (items: readonly { sk?: unknown }[]) => items.filter(({ sk }) => String(sk).startsWith('RATING#'));
      const before = (await send()).Responses as Answered;
      await review(second, { rating: 2 });
      const after = (await send()).Responses as Answered;
      return {
        Responses: Object.fromEntries(
          Object.entries(after).map(([table, items]) => [
            table,
            [...items.filter((item) => !rating(items).includes(item)), ...rating(before[table] ?? [])],
          ]),
        ),
      };
    },
  };
  expect((await scripted([torn], () => review(first, { rating: 5 }))).status).toBe(201);
  expect((await owner('getStaffMember', at(anna))).json).toMatchObject({ rating: 3.5, reviewsCount: 2 });
  expect((await listReviews(key, { staffId: anna })).summary).toEqual({ count: 2, averageRating: 3.5 });
});

test('A review of a deleted staff member still counts towards the ratings of the business and the service', async () => {
  const { key, owner, haircut, anna, visit, review } = await testBusiness();
  const booking = await visit(haircut, anna, '09:00');
  expect((await owner('deleteStaffMember', at(anna))).status).toBe(204);
  expect((await review(booking, { rating: 2 })).status).toBe(201);
  for (const filter of [{}, { serviceId: haircut }, { staffId: anna }]) {
    expect((await listReviews(key, filter)).summary).toEqual({ count: 1, averageRating: 2 });
  }
  expect((await owner('getStaffMember', at(anna))).status).toBe(404);
});

test('A review has only its latest reply, and the audit log has an entry for each different reply', async () => {
  const { owner, haircut, anna, visit, review } = await testBusiness();
  const { json } = await review(await visit(haircut, anna, '09:00'), { rating: 5 });
  const reply = (text: string, id = json.id) => owner('replyToReview', { ...at(id), body: { text } });
  for (const text of ['Thank you.', 'Thank you, Jane.', 'Thank you, Jane.']) {
    expect(await reply(text)).toMatchObject({ status: 200, json: { ...json, reply: text } });
  }
  expect((await reply('Hm.', 1)).json).toMatchObject({ code: 'not_found' });
  const { data } = (await owner('listAudit')).json;
  const operation = 'POST /v1/account/reviews/:id/reply';
  const entries = (data as { operation: string }[]).filter((entry) => entry.operation === operation);
  expect(entries).toMatchObject(Array.from({ length: 2 }, () => ({ resourceId: json.id, fields: ['text'] })));
  expect((await owner('listReviews')).json.data).toEqual([{ ...json, reply: 'Thank you, Jane.' }]);
});

/** Reviews of three visits, in order of rating. */
async function reviewed() {
  const one = await testBusiness();
  const { owner, haircut, beard, anna, janis, visit, review } = one;
  const { json } = await review(await visit(haircut, janis, '09:00'), { rating: 5 });
  await review(await visit(haircut, anna, '09:00'), { rating: 4 });
  await review(await visit(beard, janis, '11:00'), { rating: 2 });
  await owner('replyToReview', { ...at(json.id), body: { text: 'Thank you.' } });
  return one;
}
type Reviewed = Awaited<ReturnType<typeof reviewed>>;

test.each<[string, string, (one: Reviewed) => ReviewsQuery, number[], number, number]>([
  ['all reviews', 'all of them', () => ({}), [2, 4, 5], 3, 3.67],
  ['reviews of one staff member', 'only these', ({ janis: staffId }) => ({ staffId }), [2, 5], 2, 3.5],
  ['reviews of one service', 'only these', ({ haircut: serviceId }) => ({ serviceId }), [4, 5], 2, 4.5],
  [
    'reviews of one staff member and service',
    'all reviews of the staff member',
    ({ janis: staffId, haircut: serviceId }) => ({ staffId, serviceId }),
    [5],
    2,
    3.5,
  ],
  ['reviews with at least four stars', 'also reviews with fewer stars', () => ({ minRating: 4 }), [4, 5], 3, 3.67],
  ['reviews with a reply', 'also reviews without a reply', () => ({ replied: 'true' }), [5], 3, 3.67],
  ['reviews without a reply', 'also reviews with a reply', () => ({ replied: 'false' }), [2, 4], 3, 3.67],
])(
  'A list of reviews is newest first, and its summary may count reviews that are not listed (the summary of %s counts %s)',
  async (_listed, _counted, filter, ratings, ...summary) => {
    const one = await reviewed();
    const { data, ...rest } = await listReviews(one.key, filter(one));
    expect(data.map(({ rating }) => rating)).toEqual(ratings);
    const [count, averageRating] = summary;
    expect(rest).toEqual({ nextCursor: null, summary: { count, averageRating } });
  },
);

test('The cursor of a list of reviews works only with the filter of the request that returned the cursor', async () => {
  const { key, janis: staffId } = await reviewed();
  const page = async (cursor?: string) => listReviews(key, { limit: 1, cursor });
  const first = await page();
  const second = await page(first.nextCursor ?? '');
  const third = await page(second.nextCursor ?? '');
  expect([first, second, third].map(({ data }) => data.map(({ rating }) => rating))).toEqual([[2], [4], [5]]);
  expect(third.nextCursor).toBeNull();
  const cursor = first.nextCursor ?? '';
  const { key: stranger } = await testBusiness();
  for (const [who, filter] of [
    [key, { staffId }],
    [key, { replied: 'true' }],
    [stranger, {}],
  ] as const) {
    await expect(listReviews(who, { ...filter, cursor })).rejects.toMatchObject({ code: 'validation_failed' });
  }
});

test('The filter `replied` of a list of reviews accepts only true or false', async () => {
  const { owner } = await testBusiness();
  expect((await owner('listReviews', { query: 'replied=no' })).status).toBe(400);
});

test('The average rating of an empty list of reviews is null', async () => {
  const { key } = await testBusiness();
  const nothing = { data: [], nextCursor: null, summary: { count: 0, averageRating: null } };
  expect(await listReviews(key, {})).toEqual(nothing);
});
