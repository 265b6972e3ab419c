import { describe, expect, it } from 'vitest';
import { refusalsOf } from '../../../src/shared/outcome/names.ts';
import type { Proof } from '../../../src/shared/outcome/proof.ts';
import { ofSuccess } from '../../../src/shared/outcome/record.ts';
import { ofErrorResponse } from '../../../src/shared/outcome/refusal.ts';
import { type Example, table } from '../../outcomes/table.ts';
import { type Kind, kinds } from './operations.ts';

const every: readonly Kind[] = ['payment', 'refresh', 'account', 'approve', 'reject', 'delete'];

/** Reads an example as the client does, for one kind of operation. */
function proofOf({ status, body, text, isCut, said }: Example, kind: Kind): Proof {
  const refusals = refusalsOf([], [], said === undefined ? undefined : () => said);
  const { operation, path, sent } = kinds[kind];
  const isSuccess = status >= 200 && status <= 299;
  // The wire reports a success without a whole body: it proves nothing.
  if (isSuccess && isCut === true) return { outcome: 'unknown', row: 2 };
  const isJson = text === undefined || text === '';
  const read = text === '' ? undefined : (text ?? body);
  return isSuccess
    ? ofSuccess({ status, body: read, isJson }, { operation, refusals, path, sent })
    : ofErrorResponse({ status, body: read ?? '', isCut }, { operation, refusals });
}

describe.each(table.filter(({ examples }) => examples.length > 0))(
  'row $row',
  ({ row, outcome, examples }) => {
    it.each(examples)('$status $body $text', (example) => {
      for (const kind of example.of ?? every)
        expect(proofOf(example, kind), kind).toMatchObject({ row, outcome: example.outcome ?? outcome });
    });
  },
);
