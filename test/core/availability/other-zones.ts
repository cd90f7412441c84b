/** Time zones of the IANA database from another source: compiled by moment-timezone, not by ICU. */
import moment from 'moment-timezone';

/** The offset from UTC in minutes at a whole epoch minute. Throws for a name that is not in the database. */
export function ianaOffset(timeZone: string): (epochMinute: number) => number {
  const zone = moment.tz.zone(timeZone);
  if (!zone) throw new Error(`The zone database has no ${timeZone}`);
  return (minute) => -Math.round(zone.utcOffset(minute * 60_000));
}

/** The epoch minutes at which the offset of a zone changes in a period. */
export function ianaTransitions(timeZone: string, from: number, to: number): readonly number[] {
  const { untils = [] } = moment.tz.zone(timeZone) ?? {};
  return untils.flatMap((until) => (until !== null && until >= from && until < to ? [until / 60_000] : []));
}
