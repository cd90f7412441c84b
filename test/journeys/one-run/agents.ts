/** The official Model Context Protocol client with the deployed function, whose bundle omits parts of the SDK. */
import { describe, expect, test } from 'vitest';
import { integrationPrefix } from '../../../contract/integration/api.ts';
import { tools } from '../../../functions/generated/tools.ts';
import { type Journeys, newTenant } from '../../support/local.ts';
import { agentWith } from '../../support/mcp.ts';

export const agents: Journeys = (local) => {
  describe('agents', () => {
    test.each(['2025-11-25', '2026-07-28'])(
      'An independent MCP client with protocol %s lists the tools, makes a booking, and gets the reason for a refused call',
      async (version) => {
        const tenant = await newTenant(local());
        const { value } = await tenant.newKey({ agents: true });
        const mode = version === '2025-11-25' ? 'legacy' : { pin: version };
        const url = `${local().run.baseUrl}${integrationPrefix}/mcp`;
        const agent = await agentWith(value, { url, versionNegotiation: { mode } });
        expect(agent.client.getNegotiatedProtocolVersion()).toBe(version);
        expect((await agent.tools()).map(({ name }) => name)).toEqual(tools.map(({ definition }) => definition.name));
        const { serviceId, startTime, client } = tenant.booking();
        const day = { from: startTime.slice(0, 10), to: startTime.slice(0, 10) };
        const { data: listed } = (await agent.call('list_slots', { serviceId, ...day })).data;
        const [{ staffId } = {}] = listed as { readonly staffId?: number }[];
        const slot = { serviceId, staffId, startTime };
        const { holdId } = (await agent.call('hold_slot', { ...slot })).data;
        const booked = await agent.call('book', { ...slot, holdId, client, idempotencyKey: 'one' });
        expect(booked.data).toMatchObject({ status: 'confirmed', ...slot });
        expect(await agent.call('hold_slot', { ...slot })).toMatchObject({
          isError: true,
          data: { code: 'slot_unavailable', nextStep: expect.any(String) },
        });
        await expect(agent.call('no_such_tool')).rejects.toThrow('There is no tool no_such_tool.');
      },
    );
  });
};
