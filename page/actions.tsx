import type { ListName } from '../src/emulator/page/kinds.ts';
import { ONRAMP_STATUSES } from '../src/emulator/service/records/onramp.ts';
import { send, textAt } from './api.ts';
import { short } from './format.ts';
import { Button, Field, Form, Select } from './parts.tsx';

const FUNDABLE = ['OPEN_QUOTE', 'AWAITING_FUNDS', 'FIAT_INITIATED', 'CREATED', 'NOT_INITIATED'];

/** What can be done with a record, in its state. */
export function Actions({ kind, record }: { kind: ListName; record: unknown }) {
  const id = textAt(record, 'id');
  if (kind === 'approvals' && textAt(record, 'status') === 'PENDING')
    return <Decision id={id} record={record} />;
  if (kind === 'onramps') return <OnrampActions id={id} record={record} />;
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
        placeholder="Comment (optional)"
        aria-label={`Comment on ${name}`}
      />
    </div>
  );
}

function OnrampActions({ id, record }: { id: string; record: unknown }) {
  const details = `transferDetails`;
  const status = textAt(record, `${details}.status`);
  const currency = textAt(record, `${details}.source.currency`);
  const amount = textAt(record, `${details}.source.amount`);
  return (
    <div class="act">
      {FUNDABLE.includes(status) ? (
        <Form
          button="Deposit"
          label={`Deposit into onramp ${short(id)}`}
          command={async (data) => {
            await send('POST', `/onramps/${id}/deposit`, { amount: Number(data.get('amount')) });
            return `Deposited into onramp ${short(id)}`;
          }}
        >
          <Field
            name="amount"
            label={`Deposit in ${currency}`}
            type="number"
            step="any"
            min={0}
            value={amount}
            required
          />
        </Form>
      ) : null}
      <details>
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
          <Select name="status" label="Status" options={ONRAMP_STATUSES} value={status} />
          <Field name="error" label="Error (optional)" />
          <Field name="errorDetails" label="Details (optional)" />
        </Form>
      </details>
    </div>
  );
}
