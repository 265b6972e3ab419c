import { plainDecimal } from '../../shared/values.ts';

/**
 * Reads JSON without rounding: a number becomes a text of its digits. What two texts say differs where their values here
 * differ, and their white space, order and spelling do not count.
 */
export function exactJson(text: string): unknown {
  let isInText = false;
  // Token by token: a pattern for a whole text of millions of characters needs more stack than there is.
  const exact = text.replace(/"|\\.|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || !/^[-\d]/.test(token) ? token : JSON.stringify(`#${exactNumber(token)}`);
  });
  return JSON.parse(exact);
}

/** A number as JSON writes it, without zeros that say nothing. */
function exactNumber(token: string): string {
  const isNegative = token.startsWith('-');
  const digits = isNegative ? token.slice(1) : token;
  const plain = plainDecimal(digits) ?? String(Number(digits));
  return isNegative && plain !== '0' ? `-${plain}` : plain;
}
