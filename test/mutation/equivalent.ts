/**
 * Mutants that nobody can notice, each with the reason: what it changes is not what anybody gets. They are known by
 * their file and by the code before and after, as `npm run mutate` prints it, and not by where that stands.
 */
export interface Equivalent {
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

export const equivalent: Readonly<Record<string, readonly Equivalent[]>> = {
  'core/availability/calendar.ts': [
    {
      before: "return weekdays[((day % 7) + 7) % 7] ?? 'thursday';",
      after: 'return weekdays[((day % 7) + 7) % 7] ?? "";',
      why: 'each number from 0 to 6 has its weekday',
    },
  ],
  'core/availability/holds.ts': [
    {
      before:
        "return [remove('records', records.hold(key.businessId, item.id), isThere), keyHoldsPut(key, rest, mine?.version)];",
      after:
        "return [remove('records', records.hold(key.businessId, item.id), isThere), keyHoldsPut(key, rest, mine.version)];",
      why: 'a key that has a hold has the item that counts its holds',
    },
    {
      before: 'const item = { ...records.holdsOfKey(key.businessId, key.id), holds, version: (version ?? 0) + 1 };',
      after: 'const item = { ...records.holdsOfKey(key.businessId, key.id), holds, version: (version ?? 0) - 1 };',
      why: 'each version is another than those before, and nobody asks which is greater',
    },
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (false) throw new Error('A free start overlaps what is taken');",
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: 'if (typeof time === "") throw new Error(\'A free start overlaps what is taken\');',
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (typeof time === 'string') ;",
      why: 'what was found free has room: the line says so, and never acts',
    },
  ],
  'core/availability/intervals.ts': [
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      after: 'const isInOrder = intervals.every(() => undefined);',
      why: 'what is in order already is sorted again',
    },
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      after: 'const isInOrder = intervals.every(({ start }, i) => false);',
      why: 'what is in order already is sorted again',
    },
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      after: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) < start);',
      why: 'what is in order already is sorted again',
    },
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      after: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) > start);',
      why: 'what is in order already is sorted again',
    },
    {
      before: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start ?? start) <= start);',
      after: 'const isInOrder = intervals.every(({ start }, i) => (intervals[i - 1]?.start && start) <= start);',
      why: 'what is in order already is sorted again',
    },
  ],
  'core/availability/staff-day.ts': [
    {
      before: 'if (other.start > interval.start) break;',
      after: 'if (other.start >= interval.start) break;',
      why: 'two that begin together overlap, which the line before has answered',
    },
  ],
  'core/availability/working-time.ts': [
    {
      before: 'const hasExceptions = Object.keys(schedule.exceptions).length > 0;',
      after: 'const hasExceptions = true;',
      why: 'where there are none, none is found',
    },
    {
      before: 'const hasExceptions = Object.keys(schedule.exceptions).length > 0;',
      after: 'const hasExceptions = Object.keys(schedule.exceptions).length >= 0;',
      why: 'where there are none, none is found',
    },
    {
      before: 'const gridStarts = midnights.flatMap((midnight) => beginOfDay(zone, midnight) ?? []);',
      after: 'const gridStarts = midnights.flatMap((midnight) => beginOfDay(zone, midnight) ?? ["Stryker was here"]);',
      why: 'what is no minute is in no interval',
    },
    {
      before: 'if (next <= begun || next >= end) continue;',
      after: 'if (next < begun || next >= end) continue;',
      why: 'a grid that ends where it begins has no start',
    },
    {
      before: 'if (next <= begun || next >= end) continue;',
      after: 'if (next <= begun || next > end) continue;',
      why: 'an interval and the day that begins where it ends are one interval',
    },
    {
      before: 'const cut: WorkingInterval[] = [];',
      after: 'const cut: WorkingInterval[] = ["Stryker was here"];',
      why: 'what is no interval reaches into no range',
    },
    { before: 'if (!hours) {', after: 'if (true) {', why: 'what is not remembered is worked out again' },
    { before: 'weekly.set(weekday, hours);', after: ';', why: 'what is not remembered is worked out again' },
  ],
  'core/availability/zone.ts': [
    {
      before: 'const found = /GMT([+-])(\\d\\d):(\\d\\d)(?::(\\d\\d))?$/.exec(format.format(minute * 60_000));',
      after: 'const found = /GMT([+-])(\\d\\d):(\\d\\d)(?::(\\d\\d))?/.exec(format.format(minute * 60_000));',
      why: 'Intl prints nothing behind the offset',
    },
    {
      before: 'const stretches: Stretch[] = [];',
      after: 'const stretches: Stretch[] = ["Stryker was here"];',
      why: 'no minute is before the end of what has none',
    },
    {
      before: 'const nowhere: Stretch = { start: 0, end: 0, offset: 0 };',
      after: 'const nowhere: Stretch = {};',
      why: 'no minute is in it either way',
    },
    {
      before: 'if (minute >= recent.start && minute < recent.end) return recent;',
      after: 'if (false) return recent;',
      why: 'what is not remembered is looked for again',
    },
    {
      before: 'if (minute >= recent.start && minute < recent.end) return recent;',
      after: 'if (minute > recent.start && minute < recent.end) return recent;',
      why: 'what is not remembered is looked for again',
    },
    {
      before: "if (!found) throw new Error('Intl printed no offset');",
      after: "if (false) throw new Error('Intl printed no offset');",
      why: 'Intl prints the offset of every zone that it knows',
    },
    {
      before: "if (!found) throw new Error('Intl printed no offset');",
      after: 'if (!found) ;',
      why: 'Intl prints the offset of every zone that it knows',
    },
    {
      before: "let suffix = '';",
      after: 'let suffix = "Stryker was here!";',
      why: 'no number is the one of the first comparison, so it is set before it is read',
    },
    {
      before: "let date = '';",
      after: 'let date = "Stryker was here!";',
      why: 'no number is the one of the first comparison, so it is set before it is read',
    },
    {
      before: 'if (there.offset !== offset) {',
      after: 'if (true) {',
      why: 'what is not remembered is worked out again',
    },
    { before: 'if (today !== day) {', after: 'if (true) {', why: 'what is not remembered is worked out again' },
  ],
  'core/bookings/create-booking.ts': [
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (false) throw new Error('A free start overlaps what is taken');",
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: 'if (typeof time === "") throw new Error(\'A free start overlaps what is taken\');',
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof time === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (typeof time === 'string') ;",
      why: 'what was found free has room: the line says so, and never acts',
    },
  ],
  'core/bookings/reschedule.ts': [
    {
      before: "if (typeof placed === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (false) throw new Error('A free start overlaps what is taken');",
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof placed === 'string') throw new Error('A free start overlaps what is taken');",
      after: 'if (typeof placed === "") throw new Error(\'A free start overlaps what is taken\');',
      why: 'what was found free has room: the line says so, and never acts',
    },
    {
      before: "if (typeof placed === 'string') throw new Error('A free start overlaps what is taken');",
      after: "if (typeof placed === 'string') ;",
      why: 'what was found free has room: the line says so, and never acts',
    },
  ],
  'core/http/error-shape.ts': [
    {
      before: 'const strangers = { minute: 0, told: 0 };',
      after: 'const strangers = {};',
      why: 'no minute is the one of 1970 either',
    },
  ],
  'core/http/etag.ts': [
    {
      before: 'const named: readonly string[] = header.match(/"[^"]*"/g) ?? [];',
      after: 'const named: readonly string[] = header.match(/"[^"]*"/g) ?? ["Stryker was here"];',
      why: 'no tag is without quotes',
    },
  ],
  'core/http/json-depth.ts': [
    {
      before: 'for (let i = 0; i < json.length; i++) {',
      after: 'for (let i = 0; i <= json.length; i++) {',
      why: 'behind the last character there is none, which is no bracket',
    },
  ],
  'core/http/origin.ts': [
    {
      before: 'const [, scheme, host, port] = originFormat.exec(header) ?? [];',
      after: 'const [, scheme, host, port] = originFormat.exec(header) ?? ["Stryker was here"];',
      why: 'the first item of a match is not read',
    },
    {
      before: 'const [, scheme, wildcard, name, port] = entryFormat.exec(entry) ?? [];',
      after: 'const [, scheme, wildcard, name, port] = entryFormat.exec(entry) ?? ["Stryker was here"];',
      why: 'the first item of a match is not read',
    },
    {
      before: 'if (scheme === undefined || host === undefined) return undefined;',
      after: 'if (scheme === undefined && host === undefined) return undefined;',
      why: 'a match has both',
    },
    {
      before: 'if (scheme === undefined || host === undefined) return undefined;',
      after: 'if (false || host === undefined) return undefined;',
      why: 'a match has both',
    },
    {
      before: 'if (scheme === undefined || host === undefined) return undefined;',
      after: 'if (scheme === undefined || false) return undefined;',
      why: 'a match has both',
    },
  ],
  'core/http/read-body.ts': [
    {
      before: "return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');",
      after: 'return Buffer.from(body, isBase64Encoded ? \'base64\' : "");',
      why: 'UTF-8 is what Node takes when no encoding is named',
    },
    {
      before: "function isJson(contentType = ''): boolean {",
      after: 'function isJson(contentType = "Stryker was here!"): boolean {',
      why: 'neither is the type of JSON',
    },
  ],
  'core/http/request-context.ts': [
    {
      before:
        'event.exchange = { requestId, headers: lowerCased(event.headers), usage: initialUsage(unknown), origins: [] };',
      after:
        'event.exchange = { requestId, headers: lowerCased(event.headers), usage: initialUsage(unknown), origins: ["Stryker was here"] };',
      why: 'neither allows any origin',
    },
  ],
  'core/http/require-key.ts': [
    {
      before: "const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];",
      after: "const bearer = /^Bearer\\s+(\\S.*)/i.exec(headers.authorization?.trim() ?? '')?.[1];",
      why: 'a header has one line',
    },
    {
      before: "const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];",
      after: 'const bearer = /^Bearer\\s+(\\S.*)$/i.exec(headers.authorization?.trim() ?? "Stryker was here!")?.[1];',
      why: 'neither begins with the scheme',
    },
  ],
  'core/http/require-origin.ts': [
    {
      before:
        "if (origins.length > 0 && !originAllowed(headers.origin ?? '', origins)) throw fail('origin_not_allowed');",
      after:
        'if (origins.length > 0 && !originAllowed(headers.origin ?? "Stryker was here!", origins)) throw fail(\'origin_not_allowed\');',
      why: 'neither reads as an origin',
    },
  ],
  'core/http/require-scope.ts': [
    {
      before: 'if (event.exchange.key?.scopes.includes(scope)) return;',
      after: 'if (event.exchange.key.scopes.includes(scope)) return;',
      why: 'the key is checked before its scope',
    },
  ],
  'core/http/response-headers.ts': [
    { before: 'if (!response) return;', after: 'if (false) return;', why: 'every handler answers' },
    {
      before: 'if (origin === undefined || !originAllowed(origin, origins)) return {};',
      after: 'if (false || !originAllowed(origin, origins)) return {};',
      why: 'no origin is not an allowed one',
    },
  ],
  'core/http/validate-request.ts': [
    {
      before:
        'return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], input);',
      after:
        'return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)[name], input);',
      why: 'where a part has a problem, what it is a part of is there',
    },
  ],
  'core/limits/windows.ts': [
    {
      before: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? [];',
      after: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? ["Stryker was here"];',
      why: 'the first item of a match is not read',
    },
  ],
  'core/webhooks/sender/target-url.ts': [
    {
      before: "const last = labels.at(-1) ?? '';",
      after: 'const last = labels.at(-1) ?? "Stryker was here!";',
      why: 'a text that is split has a last part',
    },
  ],
  'local/cloud/event-pattern.ts': [
    {
      before: "else for (const matcher of expected) matchesValue(matcher, '');",
      after: 'else for (const matcher of expected) matchesValue(matcher, "Stryker was here!");',
      why: 'any value does: whether it matches is not asked',
    },
  ],
  'local/cloud/iam.ts': [
    {
      before: "if (Principal === '*') return true;",
      after: 'if (false) return true;',
      why: 'the values of the text are the text, which the next line takes',
    },
    {
      before: "if (Principal === '*') return true;",
      after: 'if (Principal === "") return true;',
      why: 'the values of the text are the text, which the next line takes',
    },
    {
      before: ': (statement.Action ?? []).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      after:
        ': (statement.Action ?? ["Stryker was here"]).some((pattern) => glob(pattern.toLowerCase(), action.toLowerCase()));',
      why: 'no action has this name',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      after: `const [last = "Stryker was here!", set = ''] = written.split(':').reverse();`,
      why: 'a text that is split has a last part',
    },
    {
      before: "const [last = '', set = ''] = written.split(':').reverse();",
      after: `const [last = '', set = "Stryker was here!"] = written.split(':').reverse();`,
      why: 'a set operator is told from two others, and by nothing else',
    },
    {
      before: 'globs.set(pattern, known);',
      after: ';',
      why: 'what is not remembered is made again',
    },
  ],
};
