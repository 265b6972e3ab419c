import { paymentsOfUser } from '../payments.ts';

/** The approvals that the user can decide. Without a session the user is sent to `/login`. */
export default async function Page() {
  const approvals = await paymentsOfUser().approvals.list().toArray({ limit: 50 });
  return (
    <ul>
      {approvals.map(({ id, transferType }) => (
        <li key={id}>
          {id}: {transferType}
        </li>
      ))}
    </ul>
  );
}
