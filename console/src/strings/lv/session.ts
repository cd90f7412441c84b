import type { Strings } from '../strings.ts';

export const session: Strings['session'] = {
  title: 'Pieteikšanās',
  intro:
    'Tiešsaistes rezervācijas saloniem, studijām un praksēm: šeit ir jūsu kalendārs un klienti, bet jūsu vietnei un citām sistēmām ir API.',
  links: 'Vairāk par API',
  docs: 'Darba sākšana',
  reference: 'API uzziņa',
  signIn: 'Pieteikties',
  signInAgain: 'Pieteikties vēlreiz',
  signOut: 'Izrakstīties',
  ended: 'Jūsu sesija ir beigusies',
  endedHint: 'Lai turpinātu, piesakieties vēlreiz. Jūs atgriezīsieties šajā lapā.',
  passed: 'Pieteikšanās izdevās',
  passedHint: 'Aizveriet šo cilni un turpiniet cilnē, no kuras atnācāt.',
  unreachable: 'Pieteikšanās pakalpojums neatbild',
  unreachableHint: 'Pārbaudiet savienojumu un mēģiniet vēlreiz.',
  halfSignedOut: 'Jūs izrakstījāties tikai no konsoles',
  halfSignedOutHint:
    'Pieteikšanās pakalpojums neatbildēja, tāpēc šajā ierīcē tas jūs, iespējams, pieteiks bez jautājuma. Ja ierīci lieto arī citi, tiešsaistē piesakieties un izrakstieties vēlreiz.',
  cannotStart: 'Konsoli neizdevās palaist',
};
