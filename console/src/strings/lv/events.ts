import type { Strings } from '../strings.ts';

export const events: Strings['events'] = {
  intro:
    'Notikumi, ko var saņemt tīmekļa āķi. Katrs ziņojums ir parakstīts, tam ir savs ID, un tas var pienākt divreiz.',
  names: {
    'booking.created': 'Rezervācija izveidota',
    'booking.confirmed': 'Rezervācija apstiprināta',
    'booking.cancelled': 'Rezervācija atcelta',
    'booking.completed': 'Rezervācija pabeigta',
    'booking.no_show': 'Neieradās',
    'booking.rescheduled': 'Rezervācija pārcelta',
    'client.created': 'Klients izveidots',
    'client.updated': 'Klients mainīts',
    'review.created': 'Atsauksme izveidota',
    'payment.received': 'Maksājums saņemts',
    'payment.refunded': 'Maksājums atmaksāts',
    'staff.schedule_updated': 'Darba laiks mainīts',
    'service.updated': 'Pakalpojums mainīts',
    'service.deleted': 'Pakalpojums dzēsts',
  },
  /** When each event is sent. */
  when: {
    'booking.created': 'Kad rezervē tiešsaistē, šajā konsolē vai ar API. Iespējams, rezervācija vēl jāapstiprina.',
    'booking.confirmed': 'Kad jūs apstiprināt rezervāciju, vai uzreiz, ja apstiprina automātiski.',
    'booking.cancelled':
      'Kad jūs, klients vai integrācija atceļ rezervāciju. Ziņojumā norādīts, kas un kāpēc to darīja.',
    'booking.completed': 'Kad atzīmējat rezervāciju kā pabeigtu.',
    'booking.no_show': 'Kad atzīmējat, ka klients neieradās.',
    'booking.rescheduled':
      'Kad mainās laiks vai darbinieks. Rezervācijas ID paliek, un ziņojumā ir iepriekšējais laiks.',
    'client.created': 'Ar jauna klienta pirmo rezervāciju vai kad pievienojat klientu.',
    'client.updated': 'Kad mainās klienta dati, vai klients tiek izdzēsts.',
    'review.created': 'Kad par pabeigtu rezervāciju atstāj atsauksmi.',
    'payment.received': 'Kad reģistrē maksājumu.',
    'payment.refunded': 'Ar katru pilnu vai daļēju atmaksu.',
    'staff.schedule_updated': 'Kad mainās darbinieka nedēļas grafiks vai izņēmumi. Brīvie laiki var mainīties.',
    'service.updated': 'Kad mainās pakalpojums vai tā darbinieki, vai to aptur vai atsāk.',
    'service.deleted': 'Kad pakalpojumu izdzēš. Esošās rezervācijas paliek.',
  },
  example: 'Piemērs',
  search: 'Meklēt notikumus',
  none: 'Atbilstošu notikumu nav.',
  trigger: 'Izraisīt smilškastē',
  triggered: (event) => `${event} izraisīts. Ja kāds tīmekļa āķis to saņem, skatiet Piegādes.`,
};
