export { POST } from '../../invoices/pay/route.ts';

export const fetchCache = 'default-cache';
