import type { EmulatorView } from '../src/emulator/page/view.ts';
import { send } from './api.ts';
import { ChainSelect } from './create.tsx';
import { money } from './format.ts';
import { Field, Form, Select, userOptions } from './parts.tsx';

/** Sets the balance of a user, or takes the limit away. */
export function BalanceForm({ users }: { users: EmulatorView['users'] }) {
  if (users.length === 0) return null;
  return (
    <div class="inside">
      <Form
        button="Set the balance"
        command={async (data) => {
          const amount = String(data.get('amount')).trim();
          const currency = String(data.get('currency')).trim();
          await send('POST', '/balances', {
            userId: data.get('userId'),
            currency,
            chain: data.get('chain'),
            amount: amount === '' ? null : Number(amount),
          });
          return amount === '' ? 'The balance is unlimited' : `The balance is ${money(amount, currency)}`;
        }}
      >
        <Select name="userId" label="User" options={userOptions(users)} />
        <Field name="amount" label="Amount" type="number" step="any" min={0} placeholder="unlimited" />
        <Field name="currency" label="Currency" value="usdc" required />
        <ChainSelect />
      </Form>
    </div>
  );
}
