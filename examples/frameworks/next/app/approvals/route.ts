import { paymentsOfUser } from '../../payments.ts';

/** The approvals of the user as JSON. Without a session the user is sent to `/login`. */
export async function GET(): Promise<Response> {
  const approvals = await paymentsOfUser().approvals.list().toArray({ limit: 50 });
  return Response.json(approvals.map(({ id, transferId }) => ({ id, transferId })));
}
