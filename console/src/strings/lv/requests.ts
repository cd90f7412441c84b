import type { Strings } from '../strings.ts';

export const requests: Strings['requests'] = {
  intro:
    'Jūsu API atslēgu pieprasījumi pēdējās 7 dienās un konsoles neizdevušies pieprasījumi. Neizdevušies pieprasījumi parādās minūtes vai divu laikā. Izdevušies parādās vēlāk, un daži var neparādīties.',
  columns: { request: 'Pieprasījums', status: 'Atbilde', duration: 'Ilgums', key: 'API atslēga', when: 'Laiks' },
  code: 'Kļūdas kods',
  requestId: 'Pieprasījuma ID',
  statusClasses: {
    '2xx': 'Izdevies (2xx)',
    '3xx': 'Nav mainījies (3xx)',
    '4xx': 'Noraidīts (4xx)',
    '5xx': 'Neizdevies (5xx)',
  },
  any: 'Jebkurš',
  emptyTitle: 'Pieprasījumu vēl nav',
  emptyHint: 'Šeit parādīsies pieprasījumi ar jūsu API atslēgām.',
  toKeys: 'Uz API atslēgām',
  noneTitle: 'Nav atbilstošu pieprasījumu',
  noneHint:
    'Noņemiet kādu filtru vai izvēlieties garāku laiku. Izdevies pieprasījums var neparādīties, un pavisam jauns parādās pēc minūtes.',
  unknownPath: 'nezināms ceļš',
  console: 'Konsole',
  key: (id: number) => `API atslēga ${id}`,
  bySession: 'ar sesiju',
  title: 'Pieprasījums',
  explain: 'Ko nozīmē šī kļūda',
  nextStep: 'Ko darīt',
  guide: 'Lasīt par šo kļūdu',
  curl: 'Kā curl komanda',
  curlHint: 'Aizstājiet YOUR_API_KEY. Vaicājumi un saturs netiek glabāti: pievienojiet savus.',
};
