export { isRecord, kindOf } from '../values.ts';
