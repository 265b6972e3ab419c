import { payments } from '../../payments.ts';

/** A page without a user. Each visit calls the service: Next.js stores neither the page nor a response. */
export default async function Page() {
  const approvals = await payments().approvals.list().toArray({ limit: 100 });
  return <p>{`Pending approvals: ${approvals.length}`}</p>;
}
