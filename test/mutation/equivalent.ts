/**
 * Mutants that nobody can notice, each with the reason: what it changes is not what anybody gets. They are known by
 * their file and by the code before and after, as `npm run mutate` prints it, and not by where that stands.
 */
export interface Equivalent {
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

interface Row extends Omit<Equivalent, 'after'> {
  /** One at a time. */
  readonly afters: readonly string[];
}

/** The line that says of a time which was found free that there is room for it. */
function free(name: string): Row {
  const refused = "throw new Error('A free start overlaps what is taken');";
  const before = `if (typeof ${name} === 'string') ${refused}`;
  return {
    before,
    afters: [`if (false) ${refused}`, `if (typeof ${name} === "") ${refused}`, `if (typeof ${name} === 'string') ;`],
    why: 'what was found free has room: the line says so, and never acts',
  };
}

/** What the list is called in its cursors. */
function called(name: string): Row {
  const before = `scope: { tenantId, list: '${name}', ...filter },`;
  return { before, afters: [before.replace(`'${name}'`, '""')], why: 'no other list has this name either' };
}

const rows: Readonly<Record<string, readonly Row[]>> = {
  'core/availability/calendar.ts': [
    {
      before: "return weekdays[((day % 7) + 7) % 7] ?? 'thursday';",
      afters: ['return weekdays[((day % 7) + 7) % 7] ?? "";'],
      why: 'each number from 0 to 6 has its weekday',
    },
  ],
  'core/availability/holds.ts': [
    {
      before:
        "return [remove('records', records.hold(key.tenantId, item.id), isThere), keyHoldsPut(key, rest, mine?.version)];",
      afters: [
        "return [remove('records', records.hold(key.tenantId, item.id), isThere), keyHoldsPut(key, rest, mine.version)];",
      ],
      why: 'a key that has a hold has the item that counts its holds',
    },
    {
      before: 'const item = { ...records.holdsOfKey(key.tenantId, key.id), holds, version: (version ?? 0) + 1 };',
      afters: ['const item = { ...records.holdsOfKey(key.tenantId, key.id), holds, version: (version ?? 0) - 1 };'],
      why: 'each version is another than those before, and nobody asks which is greater',
    },
    free('time'),
  ],
  'core/availability/intervals.ts': [
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      afters: [
        'const isInOrder = intervals.every(() => undefined);',
        'const isInOrder = intervals.every(({ start }, i) => false);',
        'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) < start);',
        'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) > start);',
        'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start && start) <= start);',
      ],
      why: 'what is in order already is sorted again',
    },
  ],
  'core/availability/staff-day.ts': [
    {
      before: 'if (other.start > interval.start) break;',
      afters: ['if (other.start >= interval.start) break;'],
      why: 'two that begin together overlap, which the line before has answered',
    },
  ],
  'core/availability/working-time.ts': [
    {
      before: 'const hasExceptions = Object.keys(schedule.exceptions).length > 0;',
      afters: ['const hasExceptions = true;', 'const hasExceptions = Object.keys(schedule.exceptions).length >= 0;'],
      why: 'where there are none, none is found',
    },
    {
      before: 'const gridStarts = midnights.flatMap((midnight) => beginOfDay(zone, midnight) ?? []);',
      afters: [
        'const gridStarts = midnights.flatMap((midnight) => beginOfDay(zone, midnight) ?? ["Stryker was here"]);',
      ],
      why: 'what is no minute is in no interval',
    },
    {
      before: 'if (next <= begun || next >= end) continue;',
      afters: ['if (next < begun || next >= end) continue;'],
      why: 'a grid that ends where it begins has no start',
    },
    {
      before: 'if (next <= begun || next >= end) continue;',
      afters: ['if (next <= begun || next > end) continue;'],
      why: 'an interval and the day that begins where it ends are one interval',
    },
    {
      before: 'const cut: WorkingInterval[] = [];',
      afters: ['const cut: WorkingInterval[] = ["Stryker was here"];'],
      why: 'what is no interval reaches into no range',
    },
    { before: 'if (!hours) {', afters: ['if (true) {'], why: 'what is not remembered is worked out again' },
    { before: 'weekly.set(weekday, hours);', afters: [';'], why: 'what is not remembered is worked out again' },
  ],
  'core/availability/zone.ts': [
    {
      before: 'const found = /GMT([+-])(\\d\\d):(\\d\\d)(?::(\\d\\d))?$/.exec(format.format(minute * 60_000));',
      afters: ['const found = /GMT([+-])(\\d\\d):(\\d\\d)(?::(\\d\\d))?/.exec(format.format(minute * 60_000));'],
      why: 'Intl prints nothing behind the offset',
    },
    {
      before: 'const stretches: Stretch[] = [];',
      afters: ['const stretches: Stretch[] = ["Stryker was here"];'],
      why: 'no minute is before the end of what has none',
    },
    {
      before: 'const nowhere: Stretch = { start: 0, end: 0, offset: 0 };',
      afters: ['const nowhere: Stretch = {};'],
      why: 'no minute is in it either way',
    },
    {
      before: 'if (minute >= recent.start && minute < recent.end) return recent;',
      afters: ['if (false) return recent;', 'if (minute > recent.start && minute < recent.end) return recent;'],
      why: 'what is not remembered is looked for again',
    },
    {
      before: "if (!found) throw new Error('Intl printed no offset');",
      afters: ["if (false) throw new Error('Intl printed no offset');", 'if (!found) ;'],
      why: 'Intl prints the offset of every zone that it knows',
    },
    {
      before: "let suffix = '';",
      afters: ['let suffix = "Stryker was here!";'],
      why: 'no number is the one of the first comparison, so it is set before it is read',
    },
    {
      before: "let date = '';",
      afters: ['let date = "Stryker was here!";'],
      why: 'no number is the one of the first comparison, so it is set before it is read',
    },
    {
      before: 'if (there.offset !== offset) {',
      afters: ['if (true) {'],
      why: 'what is not remembered is worked out again',
    },
    { before: 'if (today !== day) {', afters: ['if (true) {'], why: 'what is not remembered is worked out again' },
  ],
  'core/bookings/clients.ts': [
    {
      before: "if (!request.client) throw new Error('A booking names a client or brings one');",
      afters: ["if (false) throw new Error('A booking names a client or brings one');", 'if (!request.client) ;'],
      why: 'what is asked for has been read: it does one or the other',
    },
  ],
  'core/bookings/create-booking.ts': [free('time')],
  'core/bookings/client-book.ts': [
    {
      before: "scope: { tenantId, list: 'clients' },",
      afters: ['scope: { tenantId, list: "" },'],
      why: 'no other list has this name either',
    },
  ],
  'core/bookings/list.ts': [
    called('bookings'),
    {
      before: 'const from = filter.from === undefined ? 0 : minute(filter.from);',
      afters: ['const from = false ? 0 : minute(filter.from);'],
      why: 'what is no number stands before all but the first minutes of 1970',
    },
  ],
  'core/bookings/reschedule.ts': [free('placed')],
  'core/bookings/search-clients.ts': [
    {
      before: "const found = await entriesAfter(tenantId, prefixes[part] ?? '', after, limit + 1 - entries.length);",
      afters: [
        'const found = await entriesAfter(tenantId, prefixes[part] ?? "Stryker was here!", after, limit + 1 - entries.length);',
      ],
      why: 'the loop goes over the parts that there are',
    },
    {
      before: 'return page.value?.items ?? [];',
      afters: ['return page.value.items ?? [];', 'return page.value?.items ?? ["Stryker was here"];'],
      why: 'the first page is always there, be it empty',
    },
    {
      before: "const [, digits = '', sk = ''] = /^([0-2]):(.*)$/s.exec(text) ?? [];",
      afters: [
        "const [, digits = '', sk = ''] = /^([0-2]):(.*)/s.exec(text) ?? [];",
        'const [, digits = \'\', sk = "Stryker was here!"] = /^([0-2]):(.*)$/s.exec(text) ?? [];',
        "const [, digits = '', sk = ''] = /^([0-2]):(.*)$/s.exec(text) ?? [\"Stryker was here\"];",
        'const [, digits = "Stryker was here!", sk = \'\'] = /^([0-2]):(.*)$/s.exec(text) ?? [];',
      ],
      why: 'a match takes all that follows, and without one there is no such part',
    },
  ],
  'core/cursor.ts': [
    {
      before: '.sort(([a], [b]) => (a < b ? -1 : 1));',
      afters: ['.sort(([a], [b]) => (a <= b ? -1 : 1));'],
      why: 'no two fields of one object have the same name',
    },
  ],
  'core/deliveries/log/detail.ts': [
    {
      before: "if (delivery.attempts[0]?.trigger !== 'ping') assertHears(key, [delivery.event]);",
      afters: ["if (delivery.attempts[0].trigger !== 'ping') assertHears(key, [delivery.event]);"],
      why: 'a delivery has an attempt',
    },
  ],
  'core/deliveries/log/list-all.ts': [
    {
      before: 'if (newest && record) {',
      afters: ['if (newest || record) {'],
      why: 'a log with a head has a record to take',
    },
  ],
  'core/deliveries/log/newest-first.ts': [
    {
      before: 'this.#next = isLast ? 0 : (items.at(-1)?.id ?? 1) - 1;',
      afters: ['this.#next = isLast ? 0 : (items.at(-1).id ?? 1) - 1;'],
      why: 'a page that is not the last has a record',
    },
    {
      before: "if (!page.value) throw new Error('A query has a first page');",
      afters: ["if (false) throw new Error('A query has a first page');", 'if (!page.value) ;'],
      why: 'a query has a first page',
    },
  ],
  'core/deliveries/log/number-range.ts': [
    {
      before: 'return page.value?.items[0];',
      afters: ['return page.value.items[0];'],
      why: 'a query has a first page',
    },
  ],
  'core/deliveries/log/recover.ts': [
    {
      before: 'const announcing: Promise<void>[] = [];',
      afters: ['const announcing: Promise<void>[] = ["Stryker was here"];'],
      why: 'what is no promise is not waited for',
    },
    {
      before: 'firsts.flatMap(({ lastRedelivery }) => (lastRedelivery === undefined ? [] : [place(lastRedelivery)])),',
      afters: ['firsts.flatMap(({ lastRedelivery }) => (false ? [] : [place(lastRedelivery)])),'],
      why: 'no record has no number',
    },
  ],
  'core/deliveries/log/redeliver.ts': [
    {
      before: 'if (first.lastRedelivery === undefined) return { first, newest: undefined };',
      afters: ['if (false) return { first, newest: undefined };'],
      why: 'no record has no number',
    },
  ],
  'core/deliveries/log/sweep.ts': [
    {
      before: 'const heads: Seen[] = [];',
      afters: ['const heads: Seen[] = ["Stryker was here"];'],
      why: 'what has no time is never due',
    },
  ],
  'core/deliveries/plan/event-refs.ts': [
    {
      before: "if (!first) throw new Error('A message tells of at least one event');",
      afters: ["if (false) throw new Error('A message tells of at least one event');", 'if (!first) ;'],
      why: 'what is grouped has a first',
    },
  ],
  'core/events/publish.ts': [
    {
      before: "return left.length > 0 ? again : 'published';",
      afters: ['return left.length > 0 ? again : "";'],
      why: 'whatever is not `again` is an end',
    },
  ],
  'core/events/relay.ts': [
    {
      before: "? [{ event, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' }]",
      afters: ["? [{ event, sequenceNumber: record.dynamodb.SequenceNumber ?? '' }]"],
      why: 'what has an image has a change',
    },
  ],
  'core/events/sweep.ts': [
    {
      before: 'return (run + id) % seldomRuns === 0;',
      afters: ['return (run - id) % seldomRuns === 0;'],
      why: 'each event has its turn in one run of six either way',
    },
    {
      before: '{ length: Math.min(events.length, sampleSize) },',
      afters: ['{ length: Math.max(events.length, sampleSize) },'],
      why: 'behind the last part there is no event',
    },
    {
      before: "return sent.length > 0 || this.isOver() ? 'sent' : again;",
      afters: ['return sent.length > 0 || this.isOver() ? "" : again;'],
      why: 'whatever is not `again` is an end',
    },
    {
      before: "return left.length > events.length / 10 && !this.isOver() ? again : 'planned';",
      afters: ['return left.length > events.length / 10 && !this.isOver() ? again : "";'],
      why: 'whatever is not `again` is an end',
    },
  ],
  'core/erasure/steps.ts': [
    {
      before: 'found.flatMap((item) => item ?? []),',
      afters: ['found.flatMap((item) => item ?? ["Stryker was here"]),'],
      why: 'a text has no field that tells of a person',
    },
    {
      before: "':pk': records.idempotency(tenantId, 0, '').pk,",
      afters: ['\':pk\': records.idempotency(tenantId, 0, "Stryker was here!").pk,'],
      why: 'all answers of a business are in one partition',
    },
    {
      before: 'read.flatMap(({ outcome: { answer } }) => (answer ? [answer] : [])),',
      afters: ['read.flatMap(({ outcome: { answer } }) => (answer ? [answer] : ["Stryker was here"])),'],
      why: 'a text names no payment',
    },
    {
      before:
        "set('records', { pk, sk: sk ?? '' }, { outcome: JSON.stringify({ ...outcome, answer }) }, { outcome: before }),",
      afters: [
        'set(\'records\', { pk, sk: sk ?? "Stryker was here!" }, { outcome: JSON.stringify({ ...outcome, answer }) }, { outcome: before }),',
      ],
      why: 'every record has a sort key',
    },
    {
      before: "const { pk, sk = '', data: before } = item;",
      afters: ['const { pk, sk = "Stryker was here!", data: before } = item;'],
      why: 'every record has a sort key',
    },
    {
      before: "const { pk, sk = '', ...fields } = item;",
      afters: ['const { pk, sk = "Stryker was here!", ...fields } = item;'],
      why: 'every record has a sort key',
    },
    {
      before:
        'const named = items.flatMap(({ body, deliveryId }) => (body ? [] : (parseDeliveryId(deliveryId) ?? [])));',
      afters: [
        'const named = items.flatMap(({ body, deliveryId }) => (body ? ["Stryker was here"] : (parseDeliveryId(deliveryId) ?? [])));',
        'const named = items.flatMap(({ body, deliveryId }) => (body ? [] : (parseDeliveryId(deliveryId) ?? ["Stryker was here"])));',
      ],
      why: 'where no webhook writes, no record is found',
    },
    {
      before: 'const paymentOf = (fields: Fields) => (fields.clientId === undefined ? fields.paymentId : undefined);',
      afters: ['const paymentOf = (fields: Fields) => (true ? fields.paymentId : undefined);'],
      why: 'what names a client and a payment names the client of the payment: one read more',
    },
    {
      before:
        'const own = new Set<unknown>(payments.flatMap((payment) => (payment?.clientId === clientId ? payment.id : [])));',
      afters: [
        'const own = new Set<unknown>(payments.flatMap((payment) => (payment?.clientId === clientId ? payment.id : ["Stryker was here"])));',
      ],
      why: 'no payment has a text for its id',
    },
    { before: '} catch { return undefined; }', afters: ['} catch {}'], why: 'a function that ends returns undefined' },
  ],
  'core/http/error-shape.ts': [
    {
      before: 'const strangers = { minute: 0, told: 0 };',
      afters: ['const strangers = {};'],
      why: 'no minute is the one of 1970 either',
    },
  ],
  'core/http/etag.ts': [
    {
      before: 'const named: readonly string[] = header.match(/"[^"]*"/g) ?? [];',
      afters: ['const named: readonly string[] = header.match(/"[^"]*"/g) ?? ["Stryker was here"];'],
      why: 'no tag is without quotes',
    },
  ],
  'core/http/json-depth.ts': [
    {
      before: 'for (let i = 0; i < json.length; i++) {',
      afters: ['for (let i = 0; i <= json.length; i++) {'],
      why: 'behind the last character there is none, which is no bracket',
    },
  ],
  'core/http/key-door.ts': [
    {
      before:
        "return { limits: limits.requests.key, unknownCaller: 'nothing_left', checks: [requireKey(), requireOrigin()] };",
      afters: ['return { limits: limits.requests.key, unknownCaller: "", checks: [requireKey(), requireOrigin()] };'],
      why: 'who is not untouched has nothing left',
    },
  ],
  'core/http/owner-door.ts': [
    {
      before: "return { limits: limits.requests.owner, unknownCaller: 'nothing_left', checks: [requireOwner()] };",
      afters: ['return { limits: limits.requests.owner, unknownCaller: "", checks: [requireOwner()] };'],
      why: 'who is not untouched has nothing left',
    },
  ],
  'core/http/project.ts': [
    {
      before: 'return mark.field === undefined || !isSame(value, brought[mark.field]);',
      afters: ['return false || !isSame(value, brought[mark.field]);'],
      why: 'a body has no field without a name',
    },
  ],
  'core/http/route-not-found.ts': [
    {
      before: "headers: { Location: documentedLocation(rawPath, rawQueryString) ?? '' },",
      afters: ['headers: { Location: documentedLocation(rawPath, rawQueryString) ?? "Stryker was here!" },'],
      why: 'what is redirected has a location',
    },
  ],
  'core/http/origin.ts': [
    {
      before: 'const [, scheme, host, port] = originFormat.exec(header) ?? [];',
      afters: ['const [, scheme, host, port] = originFormat.exec(header) ?? ["Stryker was here"];'],
      why: 'the first item of a match is not read',
    },
    {
      before: 'const [, scheme, wildcard, name, port] = entryFormat.exec(entry) ?? [];',
      afters: ['const [, scheme, wildcard, name, port] = entryFormat.exec(entry) ?? ["Stryker was here"];'],
      why: 'the first item of a match is not read',
    },
    {
      before: 'if (scheme === undefined || host === undefined) return undefined;',
      afters: [
        'if (scheme === undefined && host === undefined) return undefined;',
        'if (false || host === undefined) return undefined;',
        'if (scheme === undefined || false) return undefined;',
      ],
      why: 'a match has both',
    },
  ],
  'core/http/read-body.ts': [
    {
      before: "return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');",
      afters: ['return Buffer.from(body, isBase64Encoded ? \'base64\' : "");'],
      why: 'UTF-8 is what Node takes when no encoding is named',
    },
    {
      before: "function isJson(contentType = ''): boolean {",
      afters: ['function isJson(contentType = "Stryker was here!"): boolean {'],
      why: 'neither is the type of JSON',
    },
  ],
  'core/http/request-context.ts': [
    {
      before:
        'event.exchange = { requestId, headers: lowerCased(event.headers), usage: initialUsage(unknown), origins: [] };',
      afters: [
        'event.exchange = { requestId, headers: lowerCased(event.headers), usage: initialUsage(unknown), origins: ["Stryker was here"] };',
      ],
      why: 'neither allows any origin',
    },
  ],
  'core/http/require-key.ts': [
    {
      before: "const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];",
      afters: ["const bearer = /^Bearer\\s+(\\S.*)/i.exec(headers.authorization?.trim() ?? '')?.[1];"],
      why: 'a header has one line',
    },
    {
      before: "const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];",
      afters: [
        'const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? "Stryker was here!")?.[1];',
      ],
      why: 'neither begins with the scheme',
    },
  ],
  'core/http/require-origin.ts': [
    {
      before:
        "if (origins.length > 0 && !originAllowed(headers.origin ?? '', origins)) throw fail('origin_not_allowed');",
      afters: [
        'if (origins.length > 0 && !originAllowed(headers.origin ?? "Stryker was here!", origins)) throw fail(\'origin_not_allowed\');',
      ],
      why: 'neither reads as an origin',
    },
  ],
  'core/http/require-scope.ts': [
    {
      before: 'if (event.exchange.key?.scopes.includes(scope)) return;',
      afters: ['if (event.exchange.key.scopes.includes(scope)) return;'],
      why: 'the key is checked before its scope',
    },
  ],
  'core/http/response-headers.ts': [
    { before: 'if (!response) return;', afters: ['if (false) return;'], why: 'every handler answers' },
    {
      before: 'if (origin === undefined || !originAllowed(origin, origins)) return {};',
      afters: ['if (false || !originAllowed(origin, origins)) return {};'],
      why: 'no origin is not an allowed one',
    },
  ],
  'core/http/validate-request.ts': [
    {
      before:
        'return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], input);',
      afters: [
        'return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)[name], input);',
      ],
      why: 'where a part has a problem, what it is a part of is there',
    },
  ],
  'core/keys/api-key.ts': [
    {
      before: "return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';",
      afters: ["return true && expiresAt <= at ? 'expired' : 'active';"],
      why: 'what is undefined is at most nothing',
    },
  ],
  'core/keys/create-key.ts': [
    {
      before: '...(expiresAt !== undefined && { expiresAt }),',
      afters: ['...(true && { expiresAt }),'],
      why: 'what is undefined is not stored',
    },
    {
      before: 'scopes: body.scopes ?? (body.scopeSet ? scopeSets[body.scopeSet] : []),',
      afters: ['scopes: body.scopes ?? (body.scopeSet ? scopeSets[body.scopeSet] : ["Stryker was here"]),'],
      why: 'the door asks for one of both',
    },
    {
      before: "if (!parts) throw new Error('A new key value is well-formed');",
      afters: ["if (false) throw new Error('A new key value is well-formed');", 'if (!parts) ;'],
      why: 'a new value is well-formed: the line says so, and never acts',
    },
  ],
  'core/keys/key-value.ts': [
    {
      before: 'const [, characters, sum] = format.exec(value) ?? [];',
      afters: ['const [, characters, sum] = format.exec(value) ?? ["Stryker was here"];'],
      why: 'one element has no second',
    },
  ],
  'core/keys/read-keys.ts': [
    {
      before: "if (!key) throw new Error('A key that was read has its resource');",
      afters: ["if (false) throw new Error('A key that was read has its resource');", 'if (!key) ;'],
      why: 'as many come out as go in: the line says so, and never acts',
    },
  ],
  'core/limits/counter.ts': [
    {
      before: "if (!counted.found) throw new Error('A window that is full is in an item');",
      afters: ["if (false) throw new Error('A window that is full is in an item');", 'if (!counted.found) ;'],
      why: 'a window that is full is in an item: the line says so, and never acts',
    },
    {
      before: 'const removable = [...neighbours(windows), ...(seen.get(pk) ?? [])];',
      afters: ['const removable = [...neighbours(windows), ...(seen.get(pk) ?? ["Stryker was here"])];'],
      why: 'what no item has is removed from none',
    },
  ],
  'core/limits/windows.ts': [
    {
      before: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? [];',
      afters: ['const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? ["Stryker was here"];'],
      why: 'the first item of a match is not read',
    },
  ],
  'core/owners/count-owner.ts': [
    { before: 'factsOf: () => ({}),', afters: ['factsOf: () => undefined,'], why: 'neither has a fact in it' },
  ],
  'core/payments/read-payments.ts': [called('payments')],
  'core/queue/consumer.ts': [
    {
      before: "const messageId = ids[i] ?? '';",
      afters: ['const messageId = ids[i] ?? "Stryker was here!";'],
      why: 'each promise has its message',
    },
  ],
  'core/queue/send-each.ts': [
    {
      before: "return left.length > 0 ? again : 'sent';",
      afters: ['return left.length > 0 ? again : "";'],
      why: 'whatever is not `again` is an end',
    },
    {
      before: 'return one ? [entry(String(i), one)] : [];',
      afters: ['return one ? [entry(String(i), one)] : ["Stryker was here"];'],
      why: 'each index has its message',
    },
  ],
  'core/reviews/list.ts': [called('reviews')],
  'core/sandbox/reset.ts': [
    {
      before: "const [own = '', ...others] = records.partitionsOf(sandbox);",
      afters: ['const [own = "Stryker was here!", ...others] = records.partitionsOf(sandbox);'],
      why: 'a tenant has its own partition',
    },
    {
      before: "const goes = ({ sk = '' }: Key) => !stays.has(sk) && !sk.startsWith(records.keyPrefix);",
      afters: [
        'const goes = ({ sk = "Stryker was here!" }: Key) => !stays.has(sk) && !sk.startsWith(records.keyPrefix);',
      ],
      why: 'every record has a sort key',
    },
    {
      before: 'count += going.length;',
      afters: ['count -= going.length;'],
      why: 'all that is asked is whether it is none',
    },
    {
      before: "if (isTimeUp()) return 'running';",
      afters: ['if (isTimeUp()) return "";'],
      why: 'the next look says that the time is up',
    },
    {
      before: "ExpressionAttributeValues: { ':pk': pk, ...(prefix !== undefined && { ':prefix': prefix }) },",
      afters: ["ExpressionAttributeValues: { ':pk': pk, ...(true && { ':prefix': prefix }) },"],
      why: 'what is undefined is not sent',
    },
  ],
  'core/sandbox/trigger.ts': [
    {
      before: 'const date = (day: number) => timestamp(now() + (week * daysTogether + day) * 86_400_000).slice(0, 10);',
      afters: ['const date = (day: number) => timestamp(now() + (week * daysTogether + day) * 86_400_000);'],
      why: 'the weeks begin at this time of day instead, and are looked through all the same',
    },
  ],
  'core/setup/backfill.ts': [
    {
      before: "const contactsWith00 = records.contact(0, 'phone', '00').sk;",
      afters: ['const contactsWith00 = records.contact(0, \'phone\', "").sk;'],
      why: 'a contact of another beginning is read as well, and is where its client is looked for',
    },
    {
      before: 'if (item.sk === records.business(0).sk) businesses.push(tenantOf(item));',
      afters: ['if (true) businesses.push(tenantOf(item));'],
      why: 'a business that is marked is not marked again',
    },
    {
      before: 'const isWhole = !business || laterIndexes.every((index) => business.indexed?.includes(index));',
      afters: ['const isWhole = !business || laterIndexes.some(index => business.indexed?.includes(index));'],
      why: 'there is one later index so far',
    },
    {
      before: "const { pk = '', sk = '' } = entry.Put?.Item ?? {};",
      afters: [
        'const { pk = "Stryker was here!", sk = \'\' } = entry.Put?.Item ?? {};',
        'const { pk = \'\', sk = "Stryker was here!" } = entry.Put?.Item ?? {};',
        "const { pk = '', sk = '' } = entry.Put.Item ?? {};",
      ],
      why: 'every entry of a client without a name before is put',
    },
    {
      before: 'const businesses: number[] = [];',
      afters: ['const businesses: number[] = ["Stryker was here"];'],
      why: 'a business that is not there is not marked',
    },
    {
      before: 'for await (const { Items = [] } of paginateScan({ client: dynamo() }, scan)) {',
      afters: ['for await (const { Items = ["Stryker was here"] } of paginateScan({ client: dynamo() }, scan)) {'],
      why: 'every page of a scan has its items, or none',
    },
  ],
  'core/setup/change-schedule.ts': [
    {
      before: 'const dates = Object.entries(exceptions).sort(([a], [b]) => (a < b ? -1 : 1));',
      afters: ['const dates = Object.entries(exceptions).sort(([a], [b]) => (a <= b ? -1 : 1));'],
      why: 'no date is there twice',
    },
  ],
  'core/setup/change-service.ts': [
    {
      before: 'const assigned = await staffWrites(tenantId, item.id, { before: [], after: item.staffIds });',
      afters: [
        'const assigned = await staffWrites(tenantId, item.id, { before: ["Stryker was here"], after: item.staffIds });',
      ],
      why: 'who is not there loses nothing',
    },
  ],
  'core/setup/change-staff.ts': [
    {
      before: 'const assigned = await serviceWrites(tenantId, item.id, { before: [], after: item.serviceIds }, now());',
      afters: [
        'const assigned = await serviceWrites(tenantId, item.id, { before: ["Stryker was here"], after: item.serviceIds }, now());',
      ],
      why: 'what is not there loses nobody',
    },
  ],
  'core/deliveries/attempt/deliver.ts': [
    {
      before: "if (ends.includes(undefined)) throw new Error('A delivery was not handled');",
      afters: ["if (false) throw new Error('A delivery was not handled');", 'if (ends.includes(undefined)) ;'],
      why: 'each message of a pack is among those that are handled: the line says so, and never acts',
    },
    ...[
      "if (!found) return { message, next: { kind: 'stop' } };",
      "if (admitted === 'drop') return { message, next: { kind: 'stop' } };",
    ].map((before) => ({
      before,
      afters: [before.replace("kind: 'stop'", 'kind: ""'), before.replace("{ kind: 'stop' }", '{}')],
      why: 'what is neither sent nor an alarm is an end',
    })),
    {
      before: "if (outcome.kind === 'failed' && outcome.ours) {",
      afters: ['if (true && outcome.ours) {'],
      why: 'nothing but a failure says whose it was',
    },
  ],
  'core/deliveries/model/batch.ts': [
    {
      before:
        'const { tenantId, deliveries } = z.parse(pack, read?.deliveries ? read : { ...read, deliveries: [read] });',
      afters: [
        'const { tenantId, deliveries } = z.parse(pack, read.deliveries ? read : { ...read, deliveries: [read] });',
      ],
      why: 'a body of null is refused by the one error or the other',
    },
    {
      before: "if (!first) throw new Error('A pack names at least one delivery');",
      afters: ["if (false) throw new Error('A pack names at least one delivery');", 'if (!first) ;'],
      why: 'no group is empty: the line says so, and never acts',
    },
  ],
  'core/deliveries/attempt/ping.ts': [
    {
      before: "const success = outcome.kind === 'answered' && isSuccess(outcome.status);",
      afters: ['const success = true && isSuccess(outcome.status);'],
      why: 'what was not answered has no status, which is none of success',
    },
  ],
  'core/deliveries/attempt/slow-queue.ts': [
    {
      before: "update('deliveries', { pk, sk }, { slowUntil: endedAt + slowQueueMs }, { id }),",
      afters: ["update('deliveries', { pk, sk }, { slowUntil: endedAt + slowQueueMs }, {}),"],
      why: 'a statement sets fields of what is there: it makes no item',
    },
    {
      before: "const isOurs = result.kind === 'failed' && result.ours;",
      afters: ['const isOurs = true && result.ours;'],
      why: 'nothing but a failure says whose it was',
    },
  ],
  'core/statistics/business-statistics.ts': [
    {
      before: 'const ranges: Interval[] = [];',
      afters: ['const ranges: Interval[] = ["Stryker was here"];'],
      why: 'in what is no range nothing begins',
    },
    {
      before: 'for (let i = 0; i + 1 < starts.length; i += daysPerQuery) {',
      afters: ['for (let i = 0; i + 1 <= starts.length; i += daysPerQuery) {'],
      why: 'nothing begins between the end of the last day and itself',
    },
  ],
  'core/statistics/days.ts': [
    {
      before: 'for (const occupancy of [counted[i]?.occupancy, summary.occupancy, byStaff.get(id)]) {',
      afters: ['for (const occupancy of [counted[i].occupancy, summary.occupancy, byStaff.get(id)]) {'],
      why: 'each index is that of a day',
    },
    {
      before: 'if (occupancy) occupancy.workingMinutes += minutes;',
      afters: ['if (true) occupancy.workingMinutes += minutes;'],
      why: 'each of the staff is counted, and each day',
    },
    {
      before: 'for (let i = Math.max(0, indexAt(starts, start)); i + 1 < starts.length; i++) {',
      afters: [
        'for (let i = Math.max(0, indexAt(starts, start)); i + 1 <= starts.length; i++) {',
        'for (let i = Math.max(0, indexAt(starts, start)); i - 1 < starts.length; i++) {',
      ],
      why: 'behind the end of the last day there is no time of any',
    },
    {
      before: 'if (from >= end) return;',
      afters: ['if (from > end) return;'],
      why: 'a day that begins at the end has no minute of it',
    },
  ],
  'core/store/batch-get.ts': [
    {
      before: 'if (!store) continue;',
      afters: ['if (false) continue;'],
      why: 'what is of no table that was asked for is found under no key that was',
    },
    {
      before: "if (!UnprocessedKeys || Object.keys(UnprocessedKeys).length === 0) return 'read';",
      afters: ['if (!UnprocessedKeys || Object.keys(UnprocessedKeys).length === 0) return "";'],
      why: 'whatever is not `again` is an end',
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
      before: "return `${store} ${key.pk} ${key.sk ?? ''}`;",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
      afters: ['return `${store} ${key.pk} ${key.sk ?? "Stryker was here!"}`;'],
      why: 'of one table all keys have a second part or none has',
    },
  ],
  'core/store/delete-each.ts': [
    {
      before: "if (!UnprocessedItems || Object.keys(UnprocessedItems).length === 0) return 'deleted';",
      afters: ['if (!UnprocessedItems || Object.keys(UnprocessedItems).length === 0) return "";'],
      why: 'whatever is not `again` is an end',
    },
  ],
  'core/store/read.ts': [
    {
      before: 'for (let page = 1; page === 1 || from; page++) {',
      afters: ['for (let page = 1; page === 1 || from; page--) {'],
      why: 'the first page is told from the others, and these are not told from each other',
    },
  ],
  'core/webhooks/sender/addresses.ts': [
    {
      before: '? !publicButInside.some((range) => address.match(range))',
      afters: ['? !publicButInside.every(range => address.match(range))'],
      why: 'the list has one range',
    },
  ],
  'core/webhooks/sender/connections.ts': [
    {
      before: 'if (isKept) this.#attempts.get(socket)?.letGo();',
      afters: ['if (true) this.#attempts.get(socket)?.letGo();'],
      why: 'Node closes what it does not keep',
    },
    {
      before: 'if (isKept) this.#attempts.get(socket)?.letGo();',
      afters: ['if (isKept) this.#attempts.get(socket).letGo();'],
      why: 'what is kept was lent to an attempt',
    },
  ],
  'core/webhooks/sender/dial.ts': [
    {
      before: "throw firstFailure ?? new SendFailure('connect_error', 'The host has no address.');",
      afters: [
        'throw firstFailure ?? new SendFailure("", \'The host has no address.\');',
        'throw firstFailure ?? new SendFailure(\'connect_error\', "");',
      ],
      why: 'a host without an address is refused before',
    },
  ],
  'core/webhooks/sender/response-start.ts': [
    {
      before: 'finish(false);',
      afters: ['finish(true);'],
      why: 'nothing of the body was read by then',
    },
    {
      before: 'if (rest > 0) text += decoder.decode(chunk.subarray(0, rest), { stream: true });',
      afters: ['if (rest >= 0) text += decoder.decode(chunk.subarray(0, rest), { stream: true });'],
      why: 'no bytes are no text',
    },
    {
      before: 'if (read >= limits.responseReadBytes) finish(false);',
      afters: ['if (read >= limits.responseReadBytes) finish(true);'],
      why: 'more is read than is kept, which is as incomplete',
    },
  ],
  'core/webhooks/sender/send.ts': [
    {
      before: "const host = url.hostname.replace(/^\\[|\\]$/g, '');",
      afters: [
        "const host = url.hostname.replace(/\\[|\\]$/g, '');",
        "const host = url.hostname.replace(/^\\[|\\]/g, '');",
      ],
      why: 'a host has brackets at its ends or none',
    },
  ],
  'core/webhooks/sender/target-url.ts': [
    {
      before: "const last = labels.at(-1) ?? '';",
      afters: ['const last = labels.at(-1) ?? "Stryker was here!";'],
      why: 'a text that is split has a last part',
    },
  ],
  'packages/local-cloud/src/event-pattern.ts': [
    {
      before: "else for (const matcher of expected) matchesValue(matcher, '');",
      afters: ['else for (const matcher of expected) matchesValue(matcher, "Stryker was here!");'],
      why: 'any value does: whether it matches is not asked',
    },
  ],
  'packages/local-cloud/src/iam.ts': [
    {
      before: "if (Principal === '*') return true;",
      afters: ['if (false) return true;', 'if (Principal === "") return true;'],
      why: 'the values of the text are the text, which the next line takes',
    },
    {
      before: ': (statement.Action ?? []).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      afters: [
        ': (statement.Action ?? ["Stryker was here"]).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      ],
      why: 'no action has this name',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      afters: ["const [last = \"Stryker was here!\", set = ''] = written.split(':').reverse();"],
      why: 'a text that is split has a last part',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      afters: ["const [last = '', set = \"Stryker was here!\"] = written.split(':').reverse();"],
      why: 'a set operator is told from two others, and by nothing else',
    },
  ],
};

export const equivalent: Readonly<Record<string, readonly Equivalent[]>> = Object.fromEntries(
  Object.entries(rows).map(([file, ofFile]) => [
    file,
    ofFile.flatMap(({ before, afters, why }) => afters.map((after) => ({ before, after, why }))),
  ]),
);
