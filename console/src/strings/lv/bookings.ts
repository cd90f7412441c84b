import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

export const bookings: Strings['bookings'] = {
  intro: (zone) => `Visas rezervācijas. Laiki ir joslā ${zone}.`,
  one: 'Rezervācija',
  number: 'Rezervācijas numurs',
  messages: 'Ziņojumi par šo rezervāciju',
  lists: { upcoming: 'Gaidāmās', pending: 'Neapstiprinātās', past: 'Pagājušās', cancelled: 'Atceltās' },
  list: 'Rādīt',
  staff: 'Darbinieks',
  anyStaff: 'Visi darbinieki',
  client: 'Klients',
  places: (count) => plural(count, 'vietu', 'vieta', 'vietas'),
  columns: {
    when: 'Laiks',
    client: 'Klients',
    service: 'Pakalpojums',
    staff: 'Darbinieks',
    price: 'Cena',
    status: 'Statuss',
  },
  empty: {
    upcoming: 'Nav gaidāmu rezervāciju',
    pending: 'Neviena rezervācija negaida apstiprinājumu',
    past: 'Pēdējās 90 dienās rezervāciju nav bijis',
    cancelled: 'Pēdējās 90 dienās nav atceltu rezervāciju',
  },
  emptyHint: 'Šeit parādās rezervācijas no jūsu vietnes, API un šīs konsoles.',
  filteredHint: 'Mainiet vai noņemiet filtru.',
  toCalendar: 'Atvērt kalendāru',
  copyLink: 'Kopēt pārvaldības saiti',
  manageLink: 'Pārvaldības saite',
  linkCopied: 'Saite nokopēta',
  linkHint: 'Ikviens ar šo saiti var pārcelt vai atcelt rezervāciju, līdz tā sākas, bet ne ilgāk kā 90 dienas.',
  noPages: 'Lapas klientiem šeit nav ierīkotas.',
  morePages: 'Pagaidām nekas nav atrasts. Lai meklētu tālāk, rādiet vairāk.',
};
