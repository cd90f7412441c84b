import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

const requests = (count: string) => plural(count, 'pieprasījumu', 'pieprasījums', 'pieprasījumi');
const webhooks = (count: number) => plural(count, 'tīmekļa āķu', 'tīmekļa āķis', 'tīmekļa āķi');

export const apiKeys: Strings['apiKeys'] = {
  intro:
    'Ar API atslēgu tīmekļa vietne vai cita programma izmanto jūsu rezervāciju datus. Jūs izvēlaties, ko katra atslēga drīkst.',
  create: 'Izveidot atslēgu',
  emptyTitle: 'Vēl nav API atslēgu',
  emptyHint: 'Izveidojiet katrai vietnei vai programmai savu atslēgu, lai tās varētu atsaukt atsevišķi.',
  columns: { permissions: 'Atļaujas', lastUsed: 'Pēdējoreiz lietota', today: 'Pieprasījumi šodien', status: 'Statuss' },
  statuses: { active: 'Aktīva', revoked: 'Atsaukta', expired: 'Beigusies' },
  neverUsed: 'Nav lietota',
  scopeCount: (count) => plural(count, 'atļauju', 'atļauja', 'atļaujas'),
  createTitle: 'Izveidot API atslēgu',
  changeTitle: 'Labot API atslēgu',
  name: 'Nosaukums',
  nameHint: 'To redzat tikai jūs. Piemēram, “Vietne” vai “CRM”.',
  purpose: 'Kam šī atslēga paredzēta?',
  sets: {
    booking_widget: {
      name: 'Rezervācijas logrīks',
      description: 'Rāda pakalpojumus, darbiniekus un brīvos laikus, pieņem rezervācijas. Neredz jūsu klientus.',
    },
    display_only: {
      name: 'Tikai rādīšana',
      description: 'Rāda uzņēmumu, pakalpojumus, darbiniekus un atsauksmes. Neko nevar mainīt.',
    },
    full_crm: {
      name: 'Pilna CRM piekļuve',
      description: 'Lasa un veic rezervācijas, redz klientus un pārvalda tīmekļa āķus.',
    },
    own: { name: 'Pielāgota', description: 'Izvēlieties katru atļauju atsevišķi.' },
  },
  scopes: {
    'business:read': 'Skatīt uzņēmumu: nosaukumu, adresi un darba laiku',
    'services:read': 'Skatīt pakalpojumus un cenas',
    'staff:read': 'Skatīt darbiniekus',
    'slots:read': 'Skatīt brīvos laikus',
    'bookings:read': 'Skatīt rezervācijas un klientus',
    'bookings:write': 'Veikt, pārcelt un atcelt rezervācijas',
    'reviews:read': 'Skatīt atsauksmes',
    'webhooks:manage': 'Pārvaldīt savus tīmekļa āķus',
  },
  allowedOrigins: 'Atļautās vietnes',
  allowedOriginsHint:
    'Atslēgām, ko lieto pārlūkā: jūsu vietņu adreses, piemēram, www.example.com. Visiem apakšdomēniem rakstiet *.example.com. Atslēgai serverī atstājiet tukšu.',
  originsPlaceholder: 'www.example.com',
  agents: 'Šo atslēgu drīkst lietot aģenti',
  agentsHint:
    'Palīgs ar šo atslēgu var meklēt, rezervēt, pārcelt un atcelt, ciktāl ļauj tās atļaujas. Testa atslēgas to var vienmēr.',
  noOriginsHint:
    'Bez atļautajām vietnēm atslēga darbojas tikai serveros. Pievienojiet savu vietni, ja lietojat atslēgu pārlūkā.',
  noOrigins: 'Nav: tikai serveriem',
  expiry: 'Derīga līdz',
  expiries: {
    never: 'Bez termiņa',
    '30': '30 dienas',
    '90': '90 dienas',
    '365': 'Vienu gadu',
    keep: 'Nemainīt',
    date: 'Līdz datumam…',
  },
  expiryDay: 'Beigu datums',
  expiryDayHint: (zone) => `Atslēga darbojas līdz šīs dienas beigām (${zone}).`,
  contactEmail: 'Sūtīt e-pastus par problēmām uz',
  contactEmailHint:
    'Tam, kas uztur šo programmu. Mēs rakstām, kad kāds no tās tīmekļa āķiem vairs nestrādā un pirms beidzas atslēgas termiņš.',
  contactEmailNone: 'Nav adreses',
  needsName: 'Ievadiet nosaukumu',
  needsScope: 'Izvēlieties vismaz vienu atļauju',
  needsDay: 'Izvēlieties datumu nākotnē',
  shownTitle: 'Saglabājiet API atslēgu',
  shownLabel: 'API atslēga',
  shownWarning:
    'Šo atslēgu vairs nevarēs apskatīt. Ikvienam, kam tā ir, ir tās atļaujas. Glabājiet to serverī vai ierobežojiet ar savām vietnēm.',
  shownUse: 'Kā to lietot',
  shownForms: { curl: 'Pirmais pieprasījums', env: '.env fails' },
  test: 'Nosūtīt izmēģinājuma pieprasījumu',
  testWorked: (status, time) => `Atslēga darbojas: API atbildēja ${status} pēc ${time}.`,
  testRefused: (status, time) => `API noraidīja pieprasījumu: ${status} pēc ${time}.`,
  testNoAnswer: 'Atbildes nebija. Pārbaudiet savienojumu un mēģiniet vēlreiz.',
  testOtherSites: (websites) =>
    `Šī atslēga darbojas tikai vietnē ${websites}, tāpēc šajā lapā to nevar izmēģināt. Izpildiet augstāk redzamo komandu.`,
  changed: 'API atslēga saglabāta',
  prefix: 'Sākas ar',
  created: 'Izveidota',
  use: 'Pieprasījumi pēdējās 30 dienās',
  requestsSummary: (total, busiest) =>
    `${requests(total)}, lielākais skaits vienā dienā: ${busiest}. Diena sākas pusnaktī pēc UTC.`,
  requestsNone: 'Pieprasījumu vēl nav.',
  regenerate: 'Atjaunot',
  revoke: 'Atsaukt',
  webhooksOf: webhooks,
  regenerateTitle: 'Atjaunot šo atslēgu?',
  regenerateText: (name) => `“${name}” iegūst jaunu vērtību.`,
  regenerateConsequences: [
    'Atļaujas, atļautās vietnes, termiņš un tīmekļa āķi nemainās.',
    'Ja atslēga ir noplūdusi, neatjaunojiet to, bet atsauciet: pēc atjaunošanas tās tīmekļa āķi, sesijas un saites turpina darboties.',
  ],
  overlap: 'Vecā vērtība',
  overlaps: {
    '0': 'pārstāj darboties uzreiz',
    '1': 'darbojas vēl 1 stundu',
    '8': 'darbojas vēl 8 stundas',
    '24': 'darbojas vēl 24 stundas',
  },
  overlapNow: 'Pieprasījumi neizdodas, līdz vērtība visur ir nomainīta.',
  overlapLater: 'Šajā laikā nomainiet vērtību visur. Abām vērtībām ir kopīgi ierobežojumi.',
  oldValue: 'Vecā vērtība',
  oldValueUse: (until, count) =>
    `Darbojas līdz ${until}. ${count === '0' ? 'Kopš jaunās vērtības izveides nav lietota.' : `Kopš tā laika: ${requests(count)}.`}`,
  regenerateVerb: 'Atjaunot atslēgu',
  maybeCreated:
    'Iespējams, atslēga jau ir izveidota. Vispirms pārbaudiet sarakstu un atsauciet atslēgu, kuras vērtību neredzējāt.',
  maybeRegenerated:
    'Iespējams, atslēgai jau ir jauna vērtība: tad ir mainījušās tās pirmās zīmes. Ja tā, vēl viena atjaunošana izbeidz vērtību, ko lieto jūsu programmas, pat ja tā darbotos vēl dažas stundas.',
  revokeTitle: 'Atsaukt šo atslēgu?',
  revokeText: (name) => `“${name}” pārstāj darboties pavisam. To nevarēs atjaunot.`,
  revokeRequests: (today) => `Pieprasījumi ar to šodien: ${today}. Nākamais tiks noraidīts.`,
  revokeUnused: 'Tā nekad nav lietota.',
  revokeWebhooks: (count) =>
    count === 0 ? 'To nelieto neviens tīmekļa āķis.' : `To lieto ${webhooks(count)}: notikumi vairs netiks saņemti.`,
  revokeVerb: 'Atsaukt atslēgu',
  revoked: 'API atslēga atsaukta',
};
