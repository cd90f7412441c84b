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
        "return [remove('records', records.hold(key.businessId, item.id), isThere), keyHoldsPut(key, rest, mine?.version)];",
      afters: [
        "return [remove('records', records.hold(key.businessId, item.id), isThere), keyHoldsPut(key, rest, mine.version)];",
      ],
      why: 'a key that has a hold has the item that counts its holds',
    },
    {
      before: 'const item = { ...records.holdsOfKey(key.businessId, key.id), holds, version: (version ?? 0) + 1 };',
      afters: ['const item = { ...records.holdsOfKey(key.businessId, key.id), holds, version: (version ?? 0) - 1 };'],
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
  'core/bookings/create-booking.ts': [free('time')],
  'core/bookings/reschedule.ts': [free('placed')],
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
  'core/limits/windows.ts': [
    {
      before: 'const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? [];',
      afters: ['const [, kind, number] = /^([md])#(\\d+)$/.exec(name) ?? ["Stryker was here"];'],
      why: 'the first item of a match is not read',
    },
  ],
  'core/webhooks/sender/target-url.ts': [
    {
      before: "const last = labels.at(-1) ?? '';",
      afters: ['const last = labels.at(-1) ?? "Stryker was here!";'],
      why: 'a text that is split has a last part',
    },
  ],
  'local/cloud/event-pattern.ts': [
    {
      before: "else for (const matcher of expected) matchesValue(matcher, '');",
      afters: ['else for (const matcher of expected) matchesValue(matcher, "Stryker was here!");'],
      why: 'any value does: whether it matches is not asked',
    },
  ],
  'local/cloud/iam.ts': [
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
    { before: 'globs.set(pattern, known);', afters: [';'], why: 'what is not remembered is made again' },
  ],
};

export const equivalent: Readonly<Record<string, readonly Equivalent[]>> = Object.fromEntries(
  Object.entries(rows).map(([file, ofFile]) => [
    file,
    ofFile.flatMap(({ before, afters, why }) => afters.map((after) => ({ before, after, why }))),
  ]),
);
