import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

const messages = (count: string) => plural(count, 'ziņojumu', 'ziņojums', 'ziņojumi');

export const webhooks: Strings['webhooks'] = {
  intro: 'Kad kaut kas notiek, tīmekļa āķis paziņo to jūsu programmai ar HTTPS, parasti divās sekundēs.',
  create: 'Izveidot tīmekļa āķi',
  emptyTitle: 'Tīmekļa āķu vēl nav',
  emptyHint: 'Ievadiet adresi un izvēlieties notikumus. Uzreiz varat nosūtīt testa ziņojumu.',
  columns: { target: 'Adrese', events: 'Notikumi', last: 'Pēdējais ziņojums', status: 'Statuss' },
  statuses: { active: 'Aktīvs', failed: 'Izslēgts' },
  failing: 'Neizdodas',
  throttled: 'Aizturēts',
  heldTitle: (until) => `Ziņojumi ir aizturēti līdz ${until}`,
  heldText:
    'Minūtē sūtām līdz 3000 ziņojumiem uzņēmumam un līdz 60 serverim, kas vēl nav atbildējis ar 2xx. Pārējie ziņojumi gaida. Nekas nezūd, un tā nav kļūme.',
  troubled: (failures) => `${failures} no 5 kļūmēm`,
  eventCount: (count) => plural(count, 'notikumu', 'notikums', 'notikumi'),
  allEvents: 'Visi notikumi',
  neverSent: 'Vēl nav',
  startedFailing: (when) => `Sāka neizdoties ${when}.`,
  createTitle: 'Izveidot tīmekļa āķi',
  changeTitle: 'Labot tīmekļa āķi',
  apiKeyId: 'API atslēga',
  apiKeyIdHint: 'Tīmekļa āķis pieder šai atslēgai un apstājas, kad atslēgu atsauc vai tās termiņš beidzas.',
  noKeys: 'Tīmekļa āķis pieder API atslēgai. Jums vēl nav aktīvas atslēgas.',
  addressOf: (targetUrl) => targetUrl || 'Tiek lasīts no plūsmas',
  readThrough: (read, last) => `Lasītājs ir apstrādājis ${read} no ${last} ziņojumiem.`,
  delivery: 'Kā ziņojumi nonāk pie jums',
  deliveries: { push: 'Sūta uz adresi', poll: 'Programma lasa' },
  deliveryGuide: 'Kurš no tiem der jums?',
  deliveryHints: {
    push: 'Jūsu serverim vajadzīga publiska https adrese.',
    poll: 'Programmām aiz ugunsmūra vai klēpjdatorā. Nekas netiek sūtīts: tās lasa šī tīmekļa āķa plūsmu.',
  },
  filterServices: 'Tikai šie pakalpojumi',
  filterStaff: 'Tikai šie darbinieki',
  filterEmpty: 'Tukšs: visi.',
  targetUrl: 'Adrese',
  targetUrlHint: 'Publiska https adrese.',
  description: 'Apraksts',
  descriptionHint: 'To redzat tikai jūs.',
  events: 'Notikumi',
  needsTarget: 'Ievadiet adresi',
  needsKey: 'Izvēlieties API atslēgu',
  cannotReceive: (key, permission, event) =>
    `Lai saņemtu ${event}, atslēgai “${key}” vajadzīga atļauja “${permission}”. Izvēlieties citu atslēgu, pievienojiet atļauju vai izvēlieties citus notikumus`,
  needsEvent: 'Izvēlieties vismaz vienu notikumu',
  shownTitle: 'Saglabājiet parakstīšanas atslēgu',
  shownLabel: 'Parakstīšanas atslēga',
  shownWarning:
    'Šo parakstīšanas atslēgu vairs nevarēs apskatīt. Jūsu programmai tā vajadzīga, lai pārbaudītu, ka ziņojumi ir no mums.',
  shownUse: 'Kā pārbaudīt ziņojumu',
  changed: 'Tīmekļa āķis saglabāts',
  deleted: 'Tīmekļa āķis dzēsts',
  ping: 'Sūtīt testu',
  change: 'Labot',
  rotate: 'Nomainīt parakstīšanas atslēgu',
  recover: 'Atkopt',
  delete: 'Dzēst',
  reactivate: 'Ieslēgt',
  reactivated: 'Tīmekļa āķis atkal ir aktīvs',
  offTitle: 'Izslēgts pēc 5 nepiegādātiem ziņojumiem',
  offText:
    'Katru ziņojumu mēģināja nosūtīt sešas reizes. Nekas vairs netiek sūtīts, līdz ieslēdzat tīmekļa āķi. Zemāk atrodiet iemeslu, novērsiet to, nosūtiet testu un ieslēdziet. Tad atkopiet nokavētos ziņojumus.',
  failingTitle: (failures) =>
    failures === 0
      ? 'Mēģinājumi nav izdevušies'
      : failures === 1
        ? 'Pēdējais ziņojums neizdevās'
        : `Pēdējie ziņojumi neizdevās: ${failures}`,
  failingSince: (when, ago) => `Kopš ${when} neviens mēģinājums nav izdevies (${ago}).`,
  lastAnswer: 'Pēdējā atbilde:',
  failingText:
    'Katru ziņojumu mēģina nosūtīt līdz sešām reizēm. Pēc 5 nepiegādātiem ziņojumiem pēc kārtas tīmekļa āķi izslēdz. Piegādāts ziņojums skaitītāju atiestata.',
  periods: { '1': '24 stundas', '7': '7 dienas', '30': '30 dienas' },
  skipped: 'Nav sūtīts',
  healthSummary: (share, attempts) =>
    `Izdevās ${share} no ${plural(attempts, 'mēģinājumiem', 'mēģinājuma', 'mēģinājumiem')}.`,
  healthNone: 'Šajā laikā ziņojumu nav.',
  median: 'Atbildes laika mediāna',
  p95: '95. procentile',
  reasons: 'Kļūmju iemesli',
  recent: 'Pēdējās piegādes',
  allDeliveries: 'Skatīt visas piegādes',
  pingTitle: 'Sūtīt testa ziņojumu',
  pingText:
    'Ziņojums ar piemēra datiem tiek nosūtīts vienu reizi. To neskaita ne pie piegādātiem, ne nepiegādātiem ziņojumiem.',
  pingPlain: 'ping (bez notikuma)',
  pingGood: (status, time) => `Jūsu serveris atbildēja ${status} pēc ${time}.`,
  pingBad: 'Tests neizdevās',
  pingLook: 'Skatīt ziņojumu',
  rotateTitle: 'Nomainīt parakstīšanas atslēgu?',
  rotateText: 'Turpmāk ziņojumi tiek parakstīti ar jaunu atslēgu.',
  rotateConsequences: [
    'Vecā atslēga vairs netiek lietota. Jūsu programma noraida ziņojumus, līdz iedodat tai jauno.',
    'Noraidītos ziņojumus sūta vēlreiz līdz piecām stundām, tāpēc, rīkojoties ātri, nekas nezūd.',
  ],
  rotateGraceConsequences: [
    'Līdz tam ziņojumu galvenē webhook-signature ir abu atslēgu paraksti.',
    'Galvene X-Webhook-Signature uzreiz tiek veidota ar jauno atslēgu.',
  ],
  grace: 'Vecā atslēga',
  graces: {
    '0': 'Pārstāj darboties tūlīt',
    '3600': 'Darbojas vēl 1 stundu',
    '86400': 'Darbojas vēl 1 dienu',
    '604800': 'Darbojas vēl 7 dienas',
  },
  rotateVerb: 'Nomainīt atslēgu',
  maybeCreated:
    'Iespējams, tīmekļa āķis jau ir izveidots. Vispirms pārbaudiet sarakstu: ja tas tur ir, nomainiet tā parakstīšanas atslēgu, lai redzētu jauno.',
  maybeRotated:
    'Iespējams, atslēga jau ir nomainīta. Nomainiet to vēlreiz, lai redzētu jauno. Tad atslēga, ko lieto jūsu programma, var uzreiz pārstāt darboties.',
  recoverTitle: 'Atkopt neizdevušos ziņojumus',
  recoverText:
    'Katrs šī laika neizdevies ziņojums tiek nosūtīts vēl vienu reizi. Ziņojumu ID paliek, tāpēc jūsu programma pazīst dublikātus.',
  recoverSince: 'Laiks',
  recoverFrom: (when) => `Ziņojumi kopš ${when}. Vecākus nesūta.`,
  recoverPeriods: {
    failing: 'Kopš pirmās kļūmes',
    '1': 'Pēdējā stunda',
    '24': 'Pēdējā diena',
    '168': 'Pēdējā nedēļa',
    '720': 'Pēdējās 30 dienas',
  },
  recoverNone: 'Neviens šī laika ziņojums netiek sūtīts vēlreiz.',
  recoverRetrying: (retried) => `Vēl tiek mēģināts un tiks nosūtīts automātiski: ${messages(retried)}.`,
  recoverLeftOut: (failed) =>
    `Vairs netiek sūtīts, jo bijuši jau desmit atkārtoti sūtījumi vai trīs no tiem neizdevās: ${messages(failed)}.`,
  recoverBegan: (matched) => `Vēlreiz tiek sūtīti: ${messages(matched)}.`,
  recoverNewest: (newest) => `Jaunāko ${newest} ziņojumu norise:`,
  recoverProgress: (done, matched) => `Nosūtīts ${done} no ${matched}`,
  recoverDone: (good, bad) => `Piegādāti: ${good}, atkal neizdevās: ${bad}.`,
  recoverWait: (seconds) => `Nākamo atkopšanu varēs sākt pēc ${seconds} s.`,
  deleteTitle: 'Dzēst šo tīmekļa āķi?',
  deleteText: (target) => `Uz ${target} vairs nekas netiks sūtīts.`,
  deleteConsequences: ['Gaidošie ziņojumi tiek atmesti.', 'Piegāžu žurnāls tiek dzēsts. To nevarēs atjaunot.'],
  deleteVerb: 'Dzēst tīmekļa āķi',
};
