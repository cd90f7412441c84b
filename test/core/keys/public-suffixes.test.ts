/** A wildcard origin is refused if unrelated people register names below its domain (docs/rules.md#origins). */
import { brotliDecompressSync } from 'node:zlib';
import { getPublicSuffix } from 'tldts';
import { expect, test } from 'vitest';
import { canonicalOrigin } from '../../../contract/web-addresses.ts';
import { chunksOf } from '../../../core/chunks.ts';
import { originAllowed } from '../../../core/http/access/origin.ts';
import { publicSuffixes } from '../../../core/keys/generated/public-suffixes.ts';
import { belongsToMany } from '../../../core/keys/public-suffixes.ts';
import { at } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** Registries, hosting, storage, functions, tunnels, shops, blogs and dynamic names. */
const ofMany = `
com:8443 net org lv app dev io xn--p1ai co.uk org.uk ac.uk gov.uk com.au net.au co.jp or.jp ne.jp tokyo.jp chiyoda.tokyo.jp
co.nz com.br com.mx com.tr co.in co.za co.kr com.cn com.tw com.sg com.hk com.ar com.pl com.ua co.il com.my co.id co.th
id.lv com.lv eu.org us.com uk.com de.com eu.com in.net co.com x.ck foo.kawasaki.jp k12.ca.us
s3.amazonaws.com s3.eu-central-1.amazonaws.com s3-website-us-east-1.amazonaws.com s3-website.eu-north-1.amazonaws.com
execute-api.eu-west-1.amazonaws.com elb.amazonaws.com eu-central-1.elasticbeanstalk.com amazonaws.com awsapprunner.com
lambda-url.eu-central-1.on.aws amplifyapp.com cloudfront.net auth.eu-north-1.amazoncognito.com
blob.core.windows.net web.core.windows.net azurewebsites.net azurestaticapps.net centralus.azurestaticapps.net
cloudapp.azure.com trafficmanager.net azure-api.net azureedge.net storage.googleapis.com appspot.com run.app web.app
firebaseapp.com cloudfunctions.net withgoogle.com translate.goog blogspot.com github.io githubusercontent.com gitlab.io
bitbucket.io codeberg.page pages.dev workers.dev r2.dev trycloudflare.com vercel.app vercel.dev now.sh netlify.app
herokuapp.com onrender.com fly.dev deno.dev deno.net railway.app up.railway.app glitch.me surge.sh replit.app replit.dev
repl.co shop.glitch.me render.com ngrok.io ngrok.app ngrok-free.app ngrok.dev loca.lt myshopify.com square.site webflow.io weebly.com
wixsite.com wixstudio.com wordpress.com framer.app framer.website lovable.app bubbleapps.io hf.space streamlit.app
dyndns.org no-ip.org ddns.net duckdns.org synology.me myfritz.net lhr.life supabase.co ondigitalocean.app
digitaloceanspaces.com nyc3.digitaloceanspaces.com linodeobjects.com vultrobjects.com s3.wasabisys.com
`
  .trim()
  .split(/\s+/);

test.each(['*.', 'http://*.', 'https://*.'])(
  'An API key with an allowed origin such as %sgithub.io, below which anyone can register names, is refused with 400',
  async (wildcard) => {
    const { account } = await fixture.business();
    const key = await account('createApiKey', { body: { name: 'Widget', scopes: ['slots:read'] } });
    for (const chunk of chunksOf(ofMany, 20)) {
      const allowedOrigins = ['example.com', ...chunk.map((domain) => `${wildcard}${domain}`)];
      const body = { name: 'Widget', scopes: ['slots:read'], allowedOrigins };
      const message = 'must be a wildcard below a domain of your own';
      const details = chunk.map((_, i) => ({ path: `allowedOrigins.${i + 1}`, message }));
      const refused = { status: 400, json: { code: 'validation_failed', details } };
      expect(await account('createApiKey', { body })).toMatchObject(refused);
      const changes = { ...at(Number(key.json.id)), body: { allowedOrigins } };
      expect(await account('updateApiKey', changes)).toMatchObject(refused);
    }
  },
);

test.each([
  ...['*.example.com', 'https://*.Example.co.uk:8443', '*.shop.github.io', '*.shop.s3.amazonaws.com', '*.www.ck'],
  ...['*.city.kobe.jp', 'github.io', 'com.lv', '*.amazonaws.com.example.com', '*.xn--mnchen-3ya.de'],
])('An API key may have the allowed origin %s, because that domain belongs to a single owner', async (origin) => {
  const { account } = await fixture.business();
  const body = { name: 'Widget', scopes: ['slots:read'], allowedOrigins: [origin] };
  expect(await account('createApiKey', { body })).toMatchObject({
    status: 201,
    json: { allowedOrigins: [origin.toLowerCase()] },
  });
});

/** The domains in the text except those that only have subdomains: `co.uk` of `uk(co gov)`. */
function leavesOf(text: string): string[] {
  const above: string[] = [];
  return [...text.matchAll(/([^ ()]+)(\()?|\)/g)].flatMap(([token, label = '', opens]) => {
    if (opens) above.unshift(label);
    if (token === ')') above.shift();
    return opens || token === ')' ? [] : [[label, ...above].join('.')];
  });
}

test('The list of domains below which anyone can register names (public suffixes) has the same entries as the npm package tldts', () => {
  const leaves = leavesOf(brotliDecompressSync(Buffer.from(publicSuffixes, 'base64')).toString());
  expect(leaves.length).toBeGreaterThan(8_000);
  const options = { allowPrivateDomains: true };
  for (const leaf of leaves) {
    const isException = leaf.startsWith('!');
    const domain = leaf.replace('!', '').replaceAll('*', 'any');
    expect([leaf, getPublicSuffix(domain, options) === domain]).toEqual([leaf, !isException]);
    expect([leaf, belongsToMany(domain)]).toEqual([leaf, !isException]);
    expect([leaf, belongsToMany(`own.${domain}`)]).toEqual([leaf, false]);
  }
});

test('Negative control: if an allowed origin such as *.github.io were stored, web pages of strangers could use the API key', () => {
  for (const domain of ofMany) {
    const stored = canonicalOrigin(`*.${domain}`);
    expect(originAllowed(`https://stranger.${domain}`, [stored ?? ''])).toBe(true);
  }
});
