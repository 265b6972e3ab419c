import { useState } from 'preact/hooks';
import type { ListName } from '../src/emulator/page/kinds.ts';
import { MADE_BY, TRANSFER_TYPES } from '../src/emulator/service/records/transfer.ts';
import { type FAULT_KINDS, USUAL_LATENCY } from '../src/emulator/state/faults.ts';
import { send } from './api.ts';
import { Button, Field, Form, Select } from './parts.tsx';
import { textAt } from './read.ts';

const FIELD_KINDS = ['unknown-enum', 'missing-field', 'wrong-type'];

/** What each kind of fault does, beside its name. */
const EFFECTS: Record<(typeof FAULT_KINDS)[number], string> = {
  'reset-after-commit': 'lose the response',
  'reset-before-commit': 'lose the request',
  status: 'respond with an error',
  latency: 'respond late',
  'stall-headers': 'never respond',
  'stall-body': 'stop within the body',
  'cut-body': 'cut the body off',
  'malformed-json': 'break the JSON',
  'unknown-enum': 'send an unknown status',
  'unknown-field': 'add unknown fields',
  'missing-field': 'leave a field out',
  'wrong-type': 'change the type of a field',
};

interface FaultFormProps {
  operations: readonly string[];
  /** The number of faults that wait. */
  waiting: number;
}

/** Injects a fault into the next calls. */
export function FaultForm({ operations, waiting }: FaultFormProps) {
  const [kind, setKind] = useState<string>('reset-after-commit');
  return (
    <div class="inside">
      <Form
        button="Inject the fault"
        command={(data) => inject(kind, data)}
        more={
          waiting === 0 ? null : (
            <Button
              label="Clear all faults"
              command={async () => `Cleared ${textAt(await send('DELETE', '/faults', {}), 'cleared')} faults`}
            >
              Clear all
            </Button>
          )
        }
      >
        <Select name="operation" label="Operation" options={[['*', 'every operation'], ...operations]} />
        <Select
          name="kind"
          label="Kind"
          options={Object.entries(EFFECTS).map(([name, effect]) => [name, `${effect} (${name})`] as const)}
          value={kind}
          onChange={setKind}
        />
        <Field name="times" label="Times" type="number" min={1} max={1_000_000} value={1} required />
        <Field
          // Another kind has another usual delay.
          key={kind === 'latency'}
          name="latency"
          label="Late by (ms)"
          type="number"
          min={0}
          max={600_000}
          value={kind === 'latency' ? USUAL_LATENCY : undefined}
          placeholder="0"
        />
        {kind === 'status' ? (
          <>
            <Field
              name="status"
              label="Status"
              type="number"
              min={300}
              max={599}
              placeholder="500, or 503 with Retry-After"
            />
            <Field name="retryAfter" label="Retry-After" placeholder="seconds or a date" />
            <label class="check">
              <input type="checkbox" name="commit" /> after the request was carried out
            </label>
          </>
        ) : null}
        {FIELD_KINDS.includes(kind) ? (
          <Field name="field" label="Field (optional)" placeholder="transferDetails.status" />
        ) : null}
      </Form>
    </div>
  );
}

async function inject(kind: string, data: FormData): Promise<string> {
  const number = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' && value !== '' ? { [name]: Number(value) } : {};
  };
  const retryAfter = String(data.get('retryAfter') ?? '').trim();
  const name = String(data.get('field') ?? '').trim();
  const injected = await send('POST', '/faults', {
    ...{ operation: data.get('operation'), kind, ...number('times'), ...number('latency') },
    ...number('status'),
    ...(retryAfter === '' ? {} : { retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : retryAfter }),
    ...(data.get('commit') === 'on' ? { commit: true } : {}),
    ...(name === '' ? {} : { field: name }),
  });
  const operation = textAt(injected, 'fault.operation');
  return `Injected ${textAt(injected, 'fault.kind')} on ${operation === '*' ? 'every operation' : operation}`;
}

/** The operation that is sent next about a record: the retry of what made it, or the decision of an approval. */
function operationOf(kind: ListName, record: unknown): string {
  if (kind === 'transfers') {
    const type = TRANSFER_TYPES.find((name) => name === textAt(record, 'transferType'));
    return type === undefined ? '' : MADE_BY[type];
  }
  if (kind === 'requests') return textAt(record, 'operation');
  return (
    { onramps: 'onramps.create', accounts: 'accounts.create', approvals: 'approvals.approve' }[
      String(kind)
    ] ?? ''
  );
}

/** Loses the response to the next call of the operation that a record is about. */
export function LoseNext({ kind, record }: { kind: ListName; record: unknown }) {
  const operation = operationOf(kind, record);
  if (operation === '') return null;
  const lose = async () => {
    await send('POST', '/faults', { operation, kind: 'reset-after-commit' });
    return `The next ${operation} will be carried out, and its response lost`;
  };
  return (
    <Button label={`Lose the next response of ${operation}`} command={lose}>
      Lose the next response
    </Button>
  );
}
