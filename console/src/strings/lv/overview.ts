import type { Strings } from '../strings.ts';
import { plural } from './plural.ts';

const bookings = (count: string) => plural(count, 'rezervāciju', 'rezervācija', 'rezervācijas');

export const overview: Strings['overview'] = {
  intro: (zone) => `Jūsu uzņēmums šodien. Laiki ir joslā ${zone}.`,
  steps: {
    title: 'Sāciet šeit',
    progress: (done, all) => `Izdarīts ${done} no ${all}`,
    done: (step) => `${step} (izdarīts)`,
    hours: 'Norādiet darba laiku',
    staff: 'Pievienojiet darbinieku',
    service: 'Pievienojiet pakalpojumu un izvēlieties, kas to sniedz',
    booking: 'Veiciet pirmo rezervāciju',
    key: 'Izveidojiet API atslēgu savai vietnei',
  },
  attention: 'Darāmais',
  allWell: 'Viss ir izdarīts.',
  webhookOff: (target) => `Tīmekļa āķis uz ${target} tika izslēgts pēc 5 nepiegādātiem ziņojumiem pēc kārtas.`,
  webhookOffAct: 'Skatīt iemeslu',
  webhookFailing: (target, when, failures) =>
    `Ziņojumi uz ${target} sāka neizdoties ${when}. Pēc 5 nepiegādātiem ziņojumiem pēc kārtas tīmekļa āķi izslēgsim. Līdz šim: ${failures}.`,
  webhookStillFailing: (target, when) =>
    `Ziņojumi uz ${target} sāka neizdoties ${when}, un kopš tā laika neviens nav piegādāts.`,
  webhookWorks: (target) => `Ziņojumi uz ${target} atkal pienāk. Izlaistos var nosūtīt vēlreiz.`,
  webhookWorksAct: 'Atvērt tīmekļa āķi',
  emailOff: (address) => `E-pasti par problēmām vairs nenonāk līdz ${address}.`,
  emailOffAct: 'Pārbaudīt adresi',
  keyExpires: (name, when) => `API atslēgas “${name}” termiņš beidzas ${when}.`,
  keyExpiresAct: 'Mainīt termiņu',
  keyBusy: (name) => `API atslēga “${name}” ir izlietojusi lielāko daļu šīs dienas pieprasījumu.`,
  keyBusyAct: 'Skatīt lietojumu',
  pending: (count) => `Jūsu apstiprinājumu gaida ${bookings(count)}.`,
  pendingAct: 'Izskatīt',
  reviews: (count) => `Bez atbildes: ${plural(count, 'atsauksmju', 'atsauksme', 'atsauksmes')}.`,
  noKeys: 'Pieņemiet rezervācijas tiešsaistē: izveidojiet API atslēgu.',
  noWebhooks: 'Saņemiet ziņas par rezervācijām: pievienojiet tīmekļa āķi.',
  today: 'Šodienas rezervācijas',
  todayNone: 'Šodien rezervāciju nav.',
  more: 'Pārējās skatiet kalendārā.',
  week: 'Šī nedēļa',
  bookingsHint: (cancelled) =>
    cancelled === '0' ? 'Neviena nav atcelta' : `un ${plural(cancelled, 'atceltu', 'atcelta', 'atceltas')}`,
  occupancy: 'Noslodze',
  occupancyHint: (booked, working) => `rezervēts: ${booked} no ${plural(working, 'stundām', 'stundas', 'stundām')}`,
  refunded: (amount) => `atmaksāts ${amount}`,
  noRefunds: 'Atmaksu nav',
  perDay: 'Rezervācijas dienā',
  perDaySummary: (count, busiest) =>
    count === '1' ? `Šonedēļ 1 rezervācija: ${busiest}` : `Šonedēļ ${bookings(count)}. Visvairāk: ${busiest}`,
  perDayNone: 'Šonedēļ rezervāciju nav.',
  requests: 'API pieprasījumi šodien',
  requestsHint: 'Katra atslēga dienā var veikt 10 000 pieprasījumu. Skaitītājs tiek atiestatīts pusnaktī pēc UTC.',
  requestsNone: 'Nav aktīvu API atslēgu.',
  ofLimit: (used) => `${used} no 10 000`,
  arrived: (share, attempts) =>
    `Pēdējās 24 stundās izdevās ${share} no ${plural(attempts, 'mēģinājumiem', 'mēģinājuma', 'mēģinājumiem')}.`,
  nothingSent: 'Pēdējās 24 stundās ziņojumu nav bijis.',
  deliveriesNone: 'Tīmekļa āķu vēl nav.',
  seeAll: 'Skatīt visus',
};
