/** Colleagues, and what a person with a role sees. */
import { expect, test } from 'vitest';
import { changeAnswer, expectAccessible, expectAccessibleInAllThemes, screens, visit } from '../../support/console.ts';

export const team = screens('the team', ({ open, openAs, openBySigningIn, system }) => {
  test('A colleague whom an owner invites with the role “Front desk” sees bookings, but no settings or API keys', async () => {
    const owner = await system().owner();
    const email = 'ilze.desk@salon.example';
    const { page, errors } = await openAs(owner, '/team');
    await page.getByText('Nobody has been invited yet').waitFor();
    await page.getByText(`You sign in as ${owner.email}, the owner.`).waitFor();
    await expectAccessible(page, 'team-empty');
    await page.getByRole('button', { name: 'Invite a colleague' }).first().click();
    const form = page.getByRole('dialog', { name: 'Invite a colleague' });
    await form.getByRole('textbox', { name: 'Email' }).fill(email);
    await form.getByRole('radio', { name: 'Front desk' }).click();
    // Another owner invites the same colleague first, and then changes their mind.
    const { id } = await owner.call<{ id: number }>('POST', '/team', { email, role: 'desk' });
    await form.getByRole('button', { name: 'Invite a colleague' }).click();
    await form.getByText('Someone signs in with this address already').waitFor();
    await page.locator('td', { hasText: email }).waitFor();
    await owner.call('DELETE', `/team/${id}`);
    await form.getByRole('button', { name: 'Invite a colleague' }).click();
    await page.getByText(`Invitation sent to ${email}`).waitFor();
    await page.getByRole('row', { name: email }).getByText('Front desk').waitFor();
    await expectAccessibleInAllThemes(page, 'team');

    const desk = await openBySigningIn({ email }, '/', open);
    const menu = desk.page.getByRole('navigation', { name: 'Main menu' });
    await menu.getByRole('link', { name: 'Payments', exact: true }).waitFor();
    await menu.getByRole('link', { name: 'API keys', exact: true }).waitFor({ state: 'detached' });
    await expect
      .poll(() => menu.getByRole('link').allTextContents())
      .toEqual(['Overview', 'Calendar', 'Bookings', 'Clients', 'Payments', 'Reviews']);
    await desk.page.getByRole('heading', { name: 'This week' }).or(desk.page.getByText('Today')).first().waitFor();
    // A screen does not offer what the API would refuse, even if it is opened by its address.
    for (const [path, name] of [
      ['/api-keys', 'API keys'],
      ['/services', 'Services'],
      ['/settings', 'Settings'],
    ] as const) {
      await visit(desk.page, path);
      await desk.page.getByRole('heading', { level: 1, name }).waitFor();
      await desk.page.getByText('You do not have access to this').waitFor();
      expect(await desk.page.getByRole('main').getByRole('button').count(), path).toBe(0);
    }
    await changeAnswer<object>(desk.page, /account\/staff\?/, (list) => ({ ...list, data: [], total: 0 }));
    await visit(desk.page, '/calendar');
    await desk.page.getByText('No staff yet').waitFor();
    expect(await desk.page.getByRole('main').getByRole('link').count(), 'empty calendar').toBe(0);

    // A role that is lost while a page is open hides what it no longer allows.
    await visit(desk.page, '/clients?add=true');
    const add = desk.page.getByRole('dialog', { name: 'Add a client' });
    await add.getByRole('textbox', { name: 'Name' }).fill('Jane Doe');
    await add.getByRole('textbox', { name: 'Email' }).fill('jane@example.com');
    const { data } = await owner.call<{ data: { id: number }[] }>('GET', '/team');
    const role = { role: 'member', staffId: owner.tenant.staff[0]?.id };
    await owner.call('PATCH', `/team/${data[0]?.id}`, role);
    await add.getByRole('button', { name: 'Add client' }).click();
    await menu.getByRole('link', { name: 'Clients', exact: true }).waitFor({ state: 'detached' });
    await desk.page.getByText('You do not have access to this').first().waitFor();

    await page.getByRole('button', { name: `Edit ${email}` }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Remove colleague' }).click();
    await page.getByText('Nobody has been invited yet').waitFor();
    await visit(desk.page, '/bookings');
    await desk.page.getByText('You are no longer in the team').first().waitFor();
    expect(errors.filter((error) => !error.includes('409'))).toEqual([]);

    // The invitation email would be real in test mode, too.
    await page.goto(`${system().origin}/test/team`);
    await page.getByText('The team is not part of the sandbox').waitFor();
  });

  test('A staff member who signs in sees only their own calendar, and the console sends no request that the API refuses', async () => {
    const owner = await system().owner();
    const [member, ...others] = owner.tenant.staff;
    const email = 'anna.member@salon.example';
    await owner.call('POST', '/team', { email, role: 'member', staffId: member?.id });
    const { page: ownPage } = await openAs(owner, '/');
    await ownPage.getByRole('region', { name: 'Today’s bookings' }).waitFor();
    const refused: string[] = [];
    ownPage.context().on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const { page } = await openAs({ email }, '/');
    await page.getByRole('region', { name: 'Today’s bookings' }).waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    await visit(page, '/calendar');
    await page.getByRole('heading', { name: 'Calendar' }).waitFor();
    await page
      .getByText(member?.name ?? '')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'New booking' }).waitFor({ state: 'detached' });
    expect(others).not.toEqual([]);
    for (const { name } of others) expect(await page.getByText(name).count(), name).toBe(0);
    await page.getByRole('link', { name: 'Bookings', exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Show' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Staff' }).count()).toBe(0);
    expect(await page.getByText('All bookings').count()).toBe(0);
    expect(refused).toEqual([]);
  });
});
