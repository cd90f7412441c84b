import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

export const reviews: Strings['reviews'] = {
  intro: 'Ko klienti saka par apmeklējumiem. Jūsu atbilde ir redzama zem atsauksmes.',
  emptyTitle: 'Atsauksmju vēl nav',
  emptyHint: 'Šeit parādās atsauksmes par pabeigtām rezervācijām.',
  allReplied: 'Uz visām atsauksmēm ir atbildēts',
  allRepliedHint: 'Jaunas atsauksmes ir redzamas šeit, līdz atbildat.',
  noneFound: 'Atbilstošu atsauksmju nav',
  filters: { all: 'Visas', open: 'Bez atbildes' },
  minRating: 'Vismaz',
  stars: (count) => plural(count, 'zvaigžņu', 'zvaigzne', 'zvaigznes'),
  anyRating: 'Jebkurš vērtējums',
  rating: (rating) => `${rating} no 5 zvaigznēm`,
  average: (rating) => `Vidējais vērtējums: ${rating} no 5 zvaigznēm`,
  count: (count) => plural(count, 'atsauksmju', 'atsauksme', 'atsauksmes'),
  visited: (service, staff) => `${service}, ${staff}`,
  noText: 'Bez komentāra.',
  reply: 'Atbildēt',
  replyTo: (name) => `Atbildēt: ${name}`,
  replied: 'Jūsu atbilde',
  changeReply: 'Labot atbildi',
  changeReplyTo: (name) => `Labot atbildi: ${name}`,
  replyHint: 'Jūsu atbildi redz visi, kas redz atsauksmi.',
  replySaved: 'Atbilde saglabāta',
};
