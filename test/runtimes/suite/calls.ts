import { accountIdOf, isTerminalOnramp, VERSION } from 'stablecoin-payments';
import { transferOf, ugandanAccount } from '../../fixtures/params.ts';
import { type Case, equal, failure, given, holds } from './check.ts';
import { type Scene, token } from './scene.ts';

/** Every operation once over a socket, and what goes over the wire with it. */
export const calls: readonly Case<Scene>[] = [
  {
    title: 'creates a USD onramp, and sees it complete after the deposit',
    run: async (scene) => {
      const userId = await scene.createUser({ rails: ['usd'] });
      const { onramps } = scene.client();
      const onramp = await onramps.create({
        source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
        destination: { userId, currency: 'usdc', chain: 'POLYGON' },
      });
      holds(!isTerminalOnramp(onramp), 'a new onramp is not at its end');
      given(onramp.transferDetails.depositInfo?.reference, 'the reference of the deposit');
      const id = onramp.transferDetails.id;
      await scene.control('POST', `onramps/${id}/deposit`, {});
      const [held] = (await scene.state()).onramps;
      holds(isTerminalOnramp(given(held, 'the onramp').transferDetails.status), 'the onramp is complete');
    },
  },
  {
    title:
      'registers, waits for, lists, retrieves and deletes an account, and refreshes an open quote with it',
    run: async (scene) => {
      const userId = await scene.createUser({ rails: ['africa'] });
      const { accounts, onramps } = scene.client();
      const id = accountIdOf(await accounts.create(userId, ugandanAccount));
      const waiting = accounts.waitUntilActive(userId, id, { interval: 20, deadline: 10_000 });
      await scene.control('POST', `accounts/${id}/validate`, { status: 'ACTIVE' });
      equal((await waiting).status, 'ACTIVE', 'the status waited for');
      equal((await accounts.retrieve(userId, id)).id, id, 'the account retrieved');
      const listed = await accounts.list(userId, { rail: 'onramp' }).toArray();
      equal(
        listed.map((account) => account.id),
        [id],
        'the accounts listed',
      );
      const onramp = await onramps.create({
        source: { userId, currency: 'ugx', amount: 500_000, accountId: id },
        destination: { userId, currency: 'usdc', chain: 'POLYGON' },
      });
      const refreshed = await onramps.refreshQuote(onramp.transferDetails.id);
      given(refreshed.transferDetails.quoteInformation, 'the quote');
      const { userId: other } = { userId: await scene.createUser({ rails: ['africa'] }) };
      const unused = accountIdOf(await accounts.create(other, ugandanAccount));
      await accounts.delete(other, unused);
      equal((await failure(accounts.retrieve(other, unused))).name, 'NotFoundError', 'the account deleted');
    },
  },
  {
    title: 'transfers singly, in batches, over bridges and to fiat, and decides the approvals',
    run: async (scene) => {
      const userId = await scene.createUser({ rails: ['usd'] });
      const { transfers, bridges, offramps, approvals } = scene.client();
      await transfers.create({ ...transferOf(userId), requireApproval: true });
      await transfers.createBatch({
        source: { userId },
        destination: { batch: [{ userId, amount: 1 }] },
        currency: 'usdc',
        chain: 'POLYGON',
        requireApproval: true,
      });
      await bridges.create({
        source: { userId, chain: 'POLYGON', currency: 'usdc' },
        destination: { userId, chain: 'BASE', currency: 'usdc' },
        amount: 50,
      });
      await offramps.create({
        source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 80 },
        destination: { userId, currency: 'usd', accountId: 'account_1' },
      });
      const [first, second] = (await approvals.list()).items;
      const approved = await approvals.approve(given(first, 'an approval').id, { comment: 'fine' });
      const rejected = await approvals.reject(given(second, 'another approval').id);
      equal([approved.status, rejected.status], ['APPROVED', 'REJECTED'], 'the decisions');
      equal((await scene.state()).transfers.length, 4, 'the transfers that the service holds');
    },
  },
  {
    title: 'reads KYC data, a metric and external wallets',
    run: async (scene) => {
      const userId = await scene.createUser({ kyc: { firstName: 'Žofie 🦓' }, externalWallets: 2 });
      const { kyc, reporting, externalWallets } = scene.client();
      equal((await kyc.retrieve(userId)).kycInfo.firstName, 'Žofie 🦓', 'text beyond ASCII');
      const [metric] = (await scene.state()).metrics;
      equal((await reporting.retrieveResults(given(metric, 'a metric').id)).status, 'success', 'the metric');
      equal((await externalWallets.list(userId)).items.length, 2, 'the wallets');
    },
  },
  {
    title: 'gives the raw answer beside the data',
    run: async (scene) => {
      const userId = await scene.createUser();
      const call = scene.client().kyc.retrieve(userId);
      const { data, response, attempts } = await call.withResponse();
      equal([data.userId, response.status, attempts], [userId, 200, 1], 'what came');
      const body: { userId: string } = await response.json();
      equal(body.userId, userId, 'the body read once more');
      const raw = await scene.client().kyc.retrieve(userId).asResponse();
      holds((await raw.text()).includes(userId), 'the raw text holds the id');
    },
  },
  {
    title: 'is waited for by a stream whose sink returns it, and fails the stream',
    run: async (scene) => {
      const userId = await scene.createUser();
      const statuses: number[] = [];
      const hooks = { response: ({ status }: { status: number }) => void statuses.push(status) };
      const { kyc } = scene.client({ hooks });
      // `Object`: the type of a sink knows only promises of nothing.
      const sink = new WritableStream<string>({ write: (id) => Object(kyc.retrieve(id)) }).getWriter();
      await sink.write(userId);
      await sink.write(userId);
      equal(statuses, [200, 200], 'the responses before the writes ended');
      sink.closed.catch(() => undefined);
      equal((await failure(sink.write('nobody'))).name, 'NotFoundError', 'the write that failed');
    },
  },
  {
    title: 'sends the token, the content type, its name and extra headers and query',
    run: async (scene) => {
      const payments = scene.troubled('echo', { headers: { 'x-team': 'payouts' } });
      const sent = await payments.request<{
        method: string;
        query: string;
        headers: Record<string, string>;
        body: string;
      }>(
        { method: 'POST', path: '/v2/anything', body: { text: 'Grüße, 東京' } },
        { headers: { 'x-call': '1' }, query: { page: 2 } },
      );
      equal(
        [sent.method, sent.query, sent.body],
        ['POST', '?page=2', '{"text":"Grüße, 東京"}'],
        'the request',
      );
      equal(sent.headers.authorization, `Bearer ${token}`, 'authorization');
      equal([sent.headers['x-team'], sent.headers['x-call']], ['payouts', '1'], 'extra headers');
      holds(sent.headers['content-type']?.startsWith('application/json') === true, 'the content type');
      if (scene.at.namesItself)
        equal(sent.headers['user-agent'], `stablecoin-payments/${VERSION}`, 'user-agent');
    },
  },
  {
    title: 'reads compressed answers, and characters that arrive in halves',
    run: async (scene) => {
      equal((await scene.troubled('gzip').kyc.retrieve('u')).kycInfo.firstName, 'Žofie 🦓', 'gzip');
      equal((await scene.troubled('halves').kyc.retrieve('u')).kycInfo.firstName, 'Žofie 🦓', 'halves');
    },
  },
  {
    title: 'deletes where the service answers without a body',
    run: async (scene) => {
      await scene.troubled('no-content').accounts.delete('u', 'a');
    },
  },
];
