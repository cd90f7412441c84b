/**
 * All texts of the console. Each screen has its own file. Another language is a folder with the same texts, and a row in
 * `translations` and in `format/language.ts`.
 */
import type { Language } from '../format/language.ts';
import { apiKeys } from './en/api-keys.ts';
import { app, errors, screens } from './en/app.ts';
import { audit } from './en/audit.ts';
import { bookings } from './en/bookings.ts';
import { business, hours } from './en/business.ts';
import { calendar } from './en/calendar.ts';
import { clients } from './en/clients.ts';
import { deliveries } from './en/deliveries.ts';
import { events } from './en/events.ts';
import { overview } from './en/overview.ts';
import { payments } from './en/payments.ts';
import { requests } from './en/requests.ts';
import { resources } from './en/resources.ts';
import { reviews } from './en/reviews.ts';
import { services } from './en/services.ts';
import { session } from './en/session.ts';
import { settings } from './en/settings.ts';
import { staff } from './en/staff.ts';
import { team } from './en/team.ts';
import { webhooks } from './en/webhooks.ts';

const en = {
  app,
  errors,
  screens,
  session,
  apiKeys,
  audit,
  bookings,
  calendar,
  webhooks,
  deliveries,
  requests,
  events,
  overview,
  business,
  hours,
  services,
  resources,
  staff,
  team,
  clients,
  payments,
  reviews,
  settings,
};

/** The same keys, with other texts and functions of the same parameters. */
type Translated<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Translated<T[Key]> };

export type Strings = Translated<typeof en>;

export const strings: Strings = en;

const translations: Record<Exclude<Language, 'en'>, () => Promise<{ readonly texts: Strings }>> = {
  lv: () => import('./lv/index.ts'),
};

/** Loads the texts of a language. To be called before a screen is loaded. */
export async function loadTexts(language: Language): Promise<void> {
  if (language !== 'en') replace(strings, (await translations[language]()).texts);
}

/** In place, because modules keep the texts of their screen. */
function replace(texts: object, translated: object): void {
  for (const [key, value] of Object.entries(translated)) {
    const text: unknown = Reflect.get(texts, key);
    if (typeof text === 'object' && text !== null) replace(text, value as object);
    else Reflect.set(texts, key, value);
  }
}
