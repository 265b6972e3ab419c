import type { ListName } from '../src/emulator/page/kinds.ts';
import { ONRAMP_STATUSES } from '../src/emulator/service/records/onramp.ts';
import { send } from './api.ts';
import { short } from './format.ts';
import { Button, Field, Form, Select } from './parts.tsx';
import { textAt } from './read.ts';

const FUNDABLE = ['OPEN_QUOTE', 'AWAITING_FUNDS', 'FIAT_INITIATED', 'CREATED', 'NOT_INITIATED'];

/** What can be done with a record, in its state. */
export function Actions({ kind, record }: { kind: ListName; record: unknown }) {
  const id = textAt(record, 'id');
  if (kind === 'approvals' && textAt(record, 'status') === 'PENDING')
    return <Decision id={id} record={record} />;
  if (kind === 'onramps') return <Deposit id={id} record={record} />;
  if (kind === 'accounts' && textAt(record, 'status') === 'PENDING') return <Verdict id={id} />;
  if (kind === 'deliveries') {
    const command = async () => {
      await send('POST', `/deliveries/${id}/redeliver`);
      return `Redelivering ${textAt(record, 'eventType')}`;
    };
    return (
      <Button label={`Redeliver ${short(id)}`} command={command}>
        Redeliver
      </Button>
    );
  }
  if (kind === 'faults') {
    const command = async () => {
      const which = { kind: textAt(record, 'kind'), operation: textAt(record, 'operation') };
      const result = await send('DELETE', '/faults', which);
      return `Cleared ${textAt(result, 'cleared')} faults`;
    };
    return (
      <Button label={`Clear ${textAt(record, 'kind')} ${id}`} command={command}>
        Clear
      </Button>
    );
  }
  return null;
}

function Decision({ id, record }: { id: string; record: unknown }) {
  const name = `transfer ${short(textAt(record, 'transferId'))}`;
  const vote = async (verb: 'approve' | 'reject', comment: string) => {
    await send('POST', `/approvals/${id}/${verb}`, comment === '' ? {} : { comment });
    return `${verb === 'approve' ? 'Approved' : 'Rejected'} ${name}`;
  };
  let input: HTMLInputElement | null = null;
  return (
    <div class="act">
      <Button label={`Approve ${name}`} kind="main" command={() => vote('approve', input?.value ?? '')}>
        Approve
      </Button>
      <Button label={`Reject ${name}`} command={() => vote('reject', input?.value ?? '')}>
        Reject
      </Button>
      <input
        ref={(element) => {
          input = element;
        }}
        class="comment"
        maxLength={1000}
        autocomplete="off"
        placeholder="Comment"
        aria-label={`Comment on ${name}`}
      />
    </div>
  );
}

/** Pays into an onramp what it waits for. */
function Deposit({ id, record }: { id: string; record: unknown }) {
  if (!isFundable(record)) return null;
  return (
    <Button label={`Deposit into onramp ${short(id)}`} command={() => deposit(id)}>
      Deposit
    </Button>
  );
}

const isFundable = (record: unknown): boolean => FUNDABLE.includes(textAt(record, 'transferDetails.status'));

async function deposit(id: string, amount?: number): Promise<string> {
  await send('POST', `/onramps/${id}/deposit`, amount === undefined ? {} : { amount });
  return `Deposited into onramp ${short(id)}`;
}

/** Pays any amount into an onramp that waits for money. */
export function DepositForm({ id, record }: { id: string; record: unknown }) {
  const currency = textAt(record, 'transferDetails.source.currency');
  if (!isFundable(record)) return null;
  return (
    <details class="create">
      <summary>Deposit another amount…</summary>
      <Form button="Deposit the amount" kind="" command={(data) => deposit(id, Number(data.get('amount')))}>
        <Field
          name="amount"
          label={`Deposit in ${currency}`}
          type="number"
          step="any"
          min={0}
          value={textAt(record, 'transferDetails.source.amount')}
          required
        />
      </Form>
    </details>
  );
}

/** Sets any status of an onramp, as a test does. */
export function SetStatus({ id, record }: { id: string; record: unknown }) {
  return (
    <details class="create">
      <summary>Set status…</summary>
      <Form
        button="Set the status"
        label={`Set the status of onramp ${short(id)}`}
        kind=""
        command={async (data) => {
          const error = String(data.get('error'));
          const errorDetails = String(data.get('errorDetails'));
          await send('POST', `/onramps/${id}/advance`, {
            status: data.get('status'),
            ...(error === '' ? {} : { error }),
            ...(errorDetails === '' ? {} : { errorDetails }),
          });
          return `Set onramp ${short(id)} to ${String(data.get('status'))}`;
        }}
      >
        <Select
          name="status"
          label="Status"
          options={ONRAMP_STATUSES}
          value={textAt(record, 'transferDetails.status')}
        />
        <Field name="error" label="Error (optional)" />
        <Field name="errorDetails" label="Details (optional)" />
      </Form>
    </details>
  );
}

const VERDICTS = [
  ['ACTIVE', 'Activate'],
  ['REJECTED', 'Reject'],
] as const;

/** Ends the validation of an account. */
function Verdict({ id }: { id: string }) {
  return (
    <div class="act">
      {VERDICTS.map(([status, verb]) => (
        <Button
          key={status}
          label={`${verb} account ${short(id)}`}
          command={async () => {
            await send('POST', `/accounts/${id}/validate`, { status });
            return `Account ${short(id)} is ${status}`;
          }}
        >
          {verb}
        </Button>
      ))}
    </div>
  );
}
