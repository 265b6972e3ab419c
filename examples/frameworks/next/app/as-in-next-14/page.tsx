import { paymentsOfUser } from '../../payments.ts';

// What Next.js 13 and 14 do by default: a `fetch` that says nothing about the cache gets stored responses.
export const fetchCache = 'default-cache';

export default async function Page() {
  const approvals = await paymentsOfUser().approvals.list().toArray({ limit: 100 });
  return <p>{`Pending approvals: ${approvals.length}`}</p>;
}
