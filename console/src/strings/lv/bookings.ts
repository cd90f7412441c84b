import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

export const bookings: Strings['bookings'] = {
  one: 'Rezervācija',
  number: 'Rezervācijas numurs',
  externalId: 'Atsauce',
  metadata: 'Dati no citām programmām',
  messages: 'Ziņojumi par šo rezervāciju',
  lists: { upcoming: 'Nākamās', pending: 'Gaida', past: 'Bijušās', cancelled: 'Atceltās' },
  list: 'Rādīt',
  anyStaff: 'Visi darbinieki',
  search: 'Meklēt',
  searchHint: 'Klients, numurs vai atsauce',
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
  linkHint:
    '90 dienas ikviens ar šo saiti var redzēt rezervāciju un, kā atļauj rezervēšanas noteikumi, pārcelt vai atcelt to, līdz tā sākas.',
  endLinks: 'Atsaukt visas saites',
  linksEnded: 'Neviena saite uz šo rezervāciju vairs nedarbojas',
  noPages: 'Lapas klientiem šeit nav ierīkotas.',
};
