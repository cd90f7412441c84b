/** Pages for visitors in a real browser, with one local run and one browser. `-t 'the booking site'` runs one area. */
import { inChromium } from '../support/chromium.ts';
import { withLocal } from '../support/local.ts';
import { bookingSite } from './visitors/booking-site.ts';
import { customerPages } from './visitors/customer-pages.ts';
import { element } from './visitors/element.ts';
import { elementInPages } from './visitors/element-in-pages.ts';

const local = withLocal({ withSite: true, workersPerFunction: 1 });
const origin = () => local().run.baseUrl;

inChromium('pages for visitors', (open) => {
  for (const area of [element, elementInPages, customerPages, bookingSite]) area({ local, origin, open });
});
