import type { Strings } from '../strings.ts';

export const business: Strings['business'] = {
  missing: {
    live: {
      title: 'Iestatiet savu uzņēmumu',
      hint: 'Ievadiet nosaukumu, laika joslu un valūtu. Tas aizņem minūti, un datus varēs mainīt vēlāk.',
      next: 'Iestatīt uzņēmumu',
    },
    test: {
      title: 'Jums vēl nav smilškastes',
      hint: 'Lai to iegūtu, izveidojiet testa atslēgu. Sākumā tajā ir jūsu pakalpojumu, darbinieku un darba laika kopija, bet nav klientu.',
      next: 'Izveidot testa atslēgu',
    },
  },
  active: 'Var rezervēt',
  inactive: 'Nevar rezervēt',
  statuses: {
    pending: 'Gaida',
    confirmed: 'Apstiprināta',
    completed: 'Pabeigta',
    no_show: 'Neieradās',
    cancelled: 'Atcelta',
  },
};

export const hours: Strings['hours'] = {
  days: {
    monday: 'Pirmdiena',
    tuesday: 'Otrdiena',
    wednesday: 'Trešdiena',
    thursday: 'Ceturtdiena',
    friday: 'Piektdiena',
    saturday: 'Sestdiena',
    sunday: 'Svētdiena',
  },
  from: (day, part) => `${day}, no${part}`,
  to: (day, part) => `${day}, līdz${part}`,
  part: (number) => ` (${number}. daļa)`,
  closed: 'Slēgts',
  off: 'Brīvdiena',
  addPart: (day) => `Pievienot laiku: ${day}`,
  add: 'Pievienot laiku',
  removePart: (day, part) => `Noņemt laiku: ${day}${part}`,
  copy: (day) => `Kopēt: ${day}`,
  copyWeekdays: 'Uz pirmdienu–piektdienu',
  copyAll: 'Uz visām dienām',
  thatDay: 'Šī diena',
};
