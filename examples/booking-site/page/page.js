/** Service, staff, time, details, done. Whatever is chosen is in `state`; each step draws itself from it. */
import { get, post } from './api.js';
import { byId, element, focusOn, notice } from './elements.js';
import { timeButtons, week } from './times.js';
import { clock, day, money, plus, wordsFor } from './words.js';

const state = {
  /** @type {any} */ shop: undefined,
  /** @type {any} */ service: undefined,
  staffId: 0,
  from: '',
  /** @type {any} */ slot: undefined,
  /** @type {any} */ hold: undefined,
  attempt: '',
};

/** @param {() => void} action */
const tryAgain = (action) => element('button', { type: 'button', textContent: 'Try again', onclick: action });

/* Service and staff */

async function loadShop() {
  notice('offline');
  try {
    state.shop = await get('/api/shop');
  } catch (error) {
    return notice('offline', wordsFor(/** @type {any} */ (error)), tryAgain(loadShop));
  }
  const { business, services, today } = state.shop;
  document.title = `Book at ${business.name}`;
  byId('business').textContent = business.name;
  byId('about').textContent = business.address ?? '';
  state.from = today;
  byId('services').setAttribute('aria-busy', 'false');
  const options = services.map((/** @type {any} */ service) =>
    option(
      'service',
      service.id,
      service.name,
      `${service.durationMinutes} min · ${money(service.price)}`,
      service.description,
    ),
  );
  byId('services').lastElementChild.replaceChildren(
    ...(options.length > 0 ? options : ['Nothing can be booked online at the moment. Please call us.']),
  );
}

/** @param {string} name @param {number} value @param {string} title @param {string} note @param {string} [more] */
function option(name, value, title, note, more = '') {
  const input = element('input', { type: 'radio', name, value: String(value) });
  const words = element('span', {}, element('strong', { textContent: title }), element('small', { textContent: note }));
  if (more) words.append(element('small', { textContent: more }));
  return element('label', {}, input, words);
}

byId('choice').addEventListener('change', (/** @type {any} */ { target }) => {
  if (target.name === 'service') {
    state.service = state.shop.services.find((/** @type {any} */ { id }) => id === Number(target.value));
    state.staffId = 0;
    drawStaff();
  } else state.staffId = Number(target.value);
  state.from = state.shop.today;
  notice('taken');
  loadTimes();
});

function drawStaff() {
  const able = state.shop.staff.filter((/** @type {any} */ { id }) => state.service.staffIds.includes(id));
  const anyone = option('staff', 0, 'Anyone', 'First available');
  /** @type {any} */ (anyone.firstElementChild).checked = true;
  byId('staff').lastElementChild.replaceChildren(
    anyone,
    ...able.map((/** @type {any} */ { id, name, position }) => option('staff', id, name, position ?? '')),
  );
  byId('staff').hidden = able.length < 2;
}

/* Times */

let asked = 0;

async function loadTimes() {
  const mine = ++asked;
  byId('details').hidden = true;
  for (const id of ['choice', 'times']) byId(id).hidden = false;
  byId('earlier').disabled = state.from <= state.shop.today;
  const style = /** @type {const} */ ({ day: 'numeric', month: 'short' });
  byId('week').textContent = `${day(state.from, style)} to ${day(plus(state.from, 6), style)}`;
  const { timeZone } = state.shop.business;
  const isElsewhere = timeZone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  byId('zone').textContent = isElsewhere ? `Times of ${timeZone.replace(/^.*\//, '').replaceAll('_', ' ')}.` : '';
  byId('days').setAttribute('aria-busy', 'true');
  byId('days').replaceChildren(
    element('div', { className: 'loading' }, ...Array.from({ length: 8 }, () => element('i'))),
  );
  try {
    const { slots } = await get('/api/slots', {
      serviceId: state.service.id,
      staffId: state.staffId,
      from: state.from,
    });
    // Only the answer to the last choice is shown.
    if (mine === asked) byId('days').replaceChildren(slots.length > 0 ? week(state.from, slots, choose) : emptyWeek());
  } catch (error) {
    if (mine !== asked) return;
    byId('days').replaceChildren(
      element(
        'p',
        { className: 'notice', role: 'alert' },
        wordsFor(/** @type {any} */ (error)),
        ' ',
        tryAgain(loadTimes),
      ),
    );
  }
  byId('days').setAttribute('aria-busy', 'false');
}

function emptyWeek() {
  const later = element('button', { type: 'button', textContent: 'Show next week', onclick: () => turn(7) });
  return element('p', { className: 'empty' }, 'No free times this week. ', later);
}

/** @param {number} days */
function turn(days) {
  state.from = plus(state.from, days);
  notice('taken');
  loadTimes();
}
byId('earlier').addEventListener('click', () => turn(-7));
byId('later').addEventListener('click', () => turn(7));

/** Holds the time with the first free staff member, while the form is filled in. */
async function choose(/** @type {string} */ startTime, /** @type {number[]} */ staffIds) {
  notice('taken');
  byId('days').inert = true;
  /** @type {any} */
  let refusal;
  for (const staffId of staffIds) {
    state.slot = { serviceId: state.service.id, staffId, startTime };
    try {
      state.hold = await post('/api/hold', state.slot);
      refusal = undefined;
    } catch (error) {
      refusal = error;
      // A key has at most ten holds. Without one, the first to book gets the time.
      if (refusal.code === 'hold_limit_reached') refusal = state.hold = undefined;
    }
    if (refusal?.code !== 'slot_unavailable') break;
  }
  byId('days').inert = false;
  if (!refusal) drawDetails();
  else if (refusal.code === 'slot_unavailable') showTaken(refusal.nextAvailable, staffIds);
  else
    notice(
      'taken',
      wordsFor(refusal),
      tryAgain(() => choose(startTime, staffIds)),
    );
}

/** @param {string[]} nextAvailable @param {number[]} staffIds */
function showTaken(nextAvailable, staffIds) {
  const label = (/** @type {string} */ time) =>
    `${day(time, { weekday: 'short', day: 'numeric', month: 'short' })}, ${clock(time)}`;
  notice('taken', 'This time has just been taken.');
  if (nextAvailable.length > 0)
    byId('taken').append(
      'Next free times:',
      timeButtons(nextAvailable, (time) => choose(time, staffIds), label),
    );
  loadTimes();
  focusOn('times-title');
}

/* Details */

function drawDetails() {
  state.attempt = crypto.randomUUID();
  const { name } = state.shop.staff.find((/** @type {any} */ { id }) => id === state.slot.staffId);
  const minutes = state.hold && Math.round((Date.parse(state.hold.expiresAt) - Date.now()) / 60_000);
  byId('chosen').replaceChildren(
    element('strong', { textContent: `${state.service.name} with ${name}` }),
    `${day(state.slot.startTime)}, ${clock(state.slot.startTime)}`,
    ...(minutes ? [element('small', { textContent: `Kept for you for the next ${minutes} minutes.` })] : []),
  );
  notice('problem');
  for (const id of ['choice', 'times']) byId(id).hidden = true;
  byId('details').hidden = false;
  focusOn('details-title');
}

byId('back').addEventListener('click', () => {
  // If this fails, the hold expires by itself.
  if (state.hold) post('/api/release', { holdId: state.hold.holdId }).catch(() => undefined);
  state.hold = undefined;
  loadTimes();
  focusOn('times-title');
});

byId('person').addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  book();
});

async function book() {
  const form = byId('person');
  const person = Object.fromEntries(new FormData(form));
  const wrong = ['name', 'email', 'phone'].filter((field) => !form.elements[field].checkValidity());
  if (!person.email && !person.phone) wrong.push('email');
  mark(wrong);
  if (wrong.length > 0) return;

  const button = form.querySelector('[type=submit]');
  button.disabled = true;
  button.textContent = 'Booking…';
  notice('problem');
  try {
    drawDone(await post('/api/book', { ...state.slot, ...person, holdId: state.hold?.holdId, attempt: state.attempt }));
    form.reset();
  } catch (error) {
    const { code, nextAvailable, fields } = /** @type {any} */ (error);
    if (code === 'slot_unavailable') showTaken(nextAvailable, [state.slot.staffId]);
    else if (code === 'validation_failed')
      mark(fields.map((/** @type {string} */ path) => path.replace('client.', '')));
    else if (code === 'hold_expired') {
      notice(
        'problem',
        wordsFor({ code }),
        tryAgain(() => choose(state.slot.startTime, [state.slot.staffId])),
      );
    } else notice('problem', wordsFor({ code }), tryAgain(book));
  }
  button.disabled = false;
  button.textContent = 'Book';
}

/** @param {string[]} fields */
function mark(fields) {
  const form = byId('person');
  for (const field of form.querySelectorAll('input'))
    field.setAttribute('aria-invalid', String(fields.includes(field.name)));
  notice('problem', fields.length > 0 ? 'Please give your name, and an email address or a phone number.' : undefined);
  form.elements[fields[0] ?? '']?.focus();
}

/* Done */

/** @param {any} booking */
function drawDone({ serviceName, staffName, startTime, endTime, price, status, id }) {
  const rows = [
    ['What', `${serviceName}, ${money(price)}`],
    ['Who', staffName],
    ['When', `${day(startTime)}, ${clock(startTime)} to ${clock(endTime)}`],
    ['Where', state.shop.business.address ?? state.shop.business.name],
    ['Booking', `${id}, ${status}`],
  ];
  byId('summary').replaceChildren(
    ...rows.map(([name, value]) =>
      element('div', {}, element('dt', { textContent: name }), element('dd', { textContent: value })),
    ),
  );
  byId('details').hidden = true;
  byId('done').hidden = false;
  state.hold = undefined;
  focusOn('done-title');
}

byId('again').addEventListener('click', () => {
  byId('done').hidden = true;
  byId('choice').hidden = false;
  byId('choice').reset();
  byId('staff').hidden = true;
  byId('services').querySelector('input')?.focus();
});

addEventListener('offline', () => notice('offline', wordsFor({ code: 'offline' })));
addEventListener('online', () => (state.shop ? notice('offline') : loadShop()));
loadShop();
