import type { Strings } from '../strings.ts';

export const events: Strings['events'] = {
  intro:
    'Notikumi, ko var saņemt tīmekļa āķi. Katrs ziņojums ir parakstīts, un tam ir savs ID. Tas var pienākt divreiz.',
  groups: {
    booking: 'Rezervācijas',
    client: 'Klienti',
    review: 'Atsauksmes',
    payment: 'Maksājumi',
    staff: 'Darbinieki',
    service: 'Pakalpojumi',
  },
  names: {
    'booking.created': {
      name: 'Rezervācija izveidota',
      when: 'Kad rezervē tiešsaistē, šajā konsolē vai ar API. Iespējams, tā vēl jāapstiprina.',
    },
    'booking.confirmed': {
      name: 'Rezervācija apstiprināta',
      when: 'Kad jūs apstiprināt rezervāciju, vai uzreiz, ja apstiprina automātiski.',
    },
    'booking.cancelled': {
      name: 'Rezervācija atcelta',
      when: 'Kad jūs, klients vai integrācija atceļ rezervāciju. Ziņojumā ir, kas un kāpēc atcēla.',
    },
    'booking.completed': { name: 'Rezervācija pabeigta', when: 'Kad atzīmējat rezervāciju kā pabeigtu.' },
    'booking.no_show': { name: 'Neieradās', when: 'Kad atzīmējat, ka klients neieradās.' },
    'booking.rescheduled': {
      name: 'Rezervācija pārcelta',
      when: 'Kad mainās laiks vai darbinieks. Rezervācijas ID paliek, un ziņojumā ir iepriekšējais laiks.',
    },
    'client.created': {
      name: 'Klients izveidots',
      when: 'Ar jauna klienta pirmo rezervāciju vai kad pievienojat klientu.',
    },
    'client.updated': {
      name: 'Klients mainīts',
      when: 'Kad mainās vārds, tālrunis vai e-pasts, vai klients tiek izdzēsts.',
    },
    'review.created': { name: 'Atsauksme izveidota', when: 'Kad par pabeigtu rezervāciju atstāj atsauksmi.' },
    'payment.received': { name: 'Maksājums saņemts', when: 'Kad reģistrē maksājumu.' },
    'payment.refunded': { name: 'Maksājums atmaksāts', when: 'Ar katru pilnu vai daļēju atmaksu.' },
    'staff.schedule_updated': {
      name: 'Darba laiks mainīts',
      when: 'Kad mainās darbinieka nedēļas grafiks vai izņēmumi. Brīvie laiki var mainīties.',
    },
    'service.updated': {
      name: 'Pakalpojums mainīts',
      when: 'Kad mainās pakalpojuma nosaukums, cena, ilgums vai darbinieki, vai to aptur vai atsāk.',
    },
    'service.deleted': {
      name: 'Pakalpojums dzēsts',
      when: 'Kad pakalpojumu vairs nevar rezervēt. Esošās rezervācijas paliek.',
    },
  },
  example: 'Piemērs',
  search: 'Meklēt notikumus',
  none: 'Atbilstošu notikumu nav.',
  trigger: 'Sūtīt uz smilškasti',
  triggered: (event) => `${event} nosūtīts. Skatiet to Piegādēs.`,
};
