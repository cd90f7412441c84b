import type { Strings } from '../strings.ts';

export const team: Strings['team'] = {
  intro: 'Kolēģi, kas var pieteikties, un ko katrs drīkst.',
  you: (email) => `Jūs piesakāties kā ${email}, īpašnieks.`,
  live: 'Komanda nav smilškastes daļa: uzaicinājums tiešām tiek nosūtīts, un loma attiecas arī uz īstajiem datiem.',
  create: 'Uzaicināt kolēģi',
  invited: (email) => `Uzaicinājums nosūtīts uz ${email}`,
  emptyTitle: 'Neviens vēl nav uzaicināts',
  emptyHint: 'Kolēģi saņem e-pastu ar paroli pirmajai pieteikšanās reizei. Jūs izvēlaties, ko viņi redz un drīkst.',
  columns: { email: 'E-pasts', role: 'Loma', since: 'Uzaicināts' },
  email: 'E-pasts',
  emailHint: 'Uz šejieni tiek nosūtīts uzaicinājums. Tas ir derīgs trīs dienas.',
  role: 'Loma',
  roles: {
    owner: { name: 'Īpašnieks', description: 'Viss, arī API atslēgas, tīmekļa āķi, iestatījumi un komanda.' },
    desk: {
      name: 'Administrators',
      description: 'Rezervācijas, klienti, maksājumi un atsauksmes. Bez iestatījumiem, atslēgām un tīmekļa āķiem.',
    },
    member: { name: 'Darbinieks', description: 'Tikai savas rezervācijas: skatīt, apstiprināt, pabeigt un atcelt.' },
  },
  staffId: 'Kā rezervācijas',
  staffIdHint: 'Kurš darbinieks ir šī persona.',
  needsStaff: 'Izvēlieties darbinieku',
  changeOf: (email) => `Labot ${email}`,
  changeTitle: 'Labot lomu',
  changed: (email) => `${email}: loma saglabāta. Tā ir spēkā uzreiz.`,
  remove: 'Noņemt',
  removeTitle: 'Noņemt šo kolēģi?',
  removeText: (email) => `${email} uzreiz zaudē piekļuvi un vairs nevar pieteikties.`,
  removeVerb: 'Noņemt kolēģi',
  removed: (email) => `${email}: noņemts`,
};
