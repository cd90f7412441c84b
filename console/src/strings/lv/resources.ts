import type { Strings } from '../strings.ts';

export const resources: Strings['resources'] = {
  intro:
    'Kas rezervācijai vajadzīgs papildus darbiniekam, piemēram, telpa vai iekārta. Rezervācija aizņem vienu brīvo.',
  create: 'Pievienot telpu',
  created: (name) => `${name}: pievienota`,
  saved: (name) => `${name}: saglabāta`,
  emptyTitle: 'Telpu vēl nav',
  emptyHint: 'Pievienojiet, ja pakalpojumam vajadzīga brīva telpa vai iekārta. Citādi tās nav vajadzīgas.',
  columns: { name: 'Nosaukums', kind: 'Veids', services: 'Vajadzīga pakalpojumiem', status: 'Statuss' },
  noServices: 'Nav vajadzīga nevienam pakalpojumam',
  name: 'Nosaukums',
  kind: 'Veids',
  kindHint: 'Piemēram, “telpa”. Pakalpojumam vajadzīga viena šī veida telpa, jebkura brīvā.',
  active: 'Var rezervēt',
  activeHint: 'Izslēdziet, lai arhivētu. Esošās rezervācijas to patur.',
  removeTitle: 'Dzēst šo telpu?',
  removeText: (name) => `${name}: vairs nevarēs rezervēt.`,
  removeConsequences: [
    'Pagājušās rezervācijas patur nosaukumu.',
    'Nevar dzēst to, kas vajadzīgs gaidāmām rezervācijām. Arhivējiet: izslēdziet “Var rezervēt”.',
  ],
  removeVerb: 'Dzēst telpu',
  removed: (name) => `${name}: dzēsta`,
};
