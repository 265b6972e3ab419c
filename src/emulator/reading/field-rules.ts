import * as z from 'zod/mini';
import { valueAt } from '../../shared/values.ts';
import type { FieldProblem } from '../problem.ts';

type Json = Record<string, unknown>;

/** A rule about several fields of a body: how it is checked, and how a description states it in JSON Schema. */
export interface FieldRule {
  problem: (body: unknown) => FieldProblem | undefined;
  schema: Json;
}

/** The schema of a body with rules about several of its fields. The rules apply once each field alone is right. */
export function withRules<S extends z.ZodMiniType>(schema: S, rules: readonly FieldRule[]): S {
  if (rules.length === 0) return schema;
  const ruled = schema.check(
    z.superRefine((body, context) => {
      for (const rule of rules) {
        const problem = rule.problem(body);
        if (problem === undefined) continue;
        context.addIssue({ code: 'custom', path: problem.field.split('.'), message: problem.message });
      }
    }),
  );
  z.globalRegistry.add(
    ruled,
    combined(
      'allOf',
      rules.map((rule) => rule.schema),
    ),
  );
  return ruled;
}

/** Several JSON Schemas as one. */
function combined(word: 'allOf' | 'anyOf', schemas: readonly Json[]): Json {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { [word]: schemas };
}

/** Exactly one of two amounts must be given, each by its path. */
export const oneAmount = (first: string, second: string) =>
  exactlyOne(['number', 'a finite number greater than 0'], first, second);

/** Exactly one of two texts must be given, each by its path. */
export const oneText = (first: string, second: string) =>
  exactlyOne(['string', 'a non-empty text'], first, second);

function exactlyOne([type, expected]: ['number' | 'string', string], first: string, second: string) {
  const isGiven = (body: unknown, path: string) => typeof valueAt(body, path) === type;
  const either = { anyOf: [first, second].map((path) => mustHave(path, type)) };
  const conflict = notBoth(first, second, type);
  const rule: FieldRule = {
    schema: { allOf: [either, conflict.schema] },
    problem: (body) =>
      isGiven(body, first) || isGiven(body, second)
        ? conflict.problem(body)
        : { field: first, message: `is required: ${expected} here or in ${second}` },
  };
  return rule;
}

/** At most one of two fields may be given, each by its path. */
export function notBoth(first: string, second: string, type: 'number' | 'string' = 'string'): FieldRule {
  const isGiven = (body: unknown, path: string) => (valueAt(body, path) ?? null) !== null;
  return {
    schema: { not: { allOf: [first, second].map((path) => mustHave(path, type)) } },
    problem: (body) =>
      isGiven(body, first) && isGiven(body, second)
        ? { field: second, message: `cannot stand beside ${first}: give one of the two` }
        : undefined,
  };
}

/** One of several groups of texts must be given as a whole. The message names the first one. */
export function oneGroup(groups: readonly (readonly string[])[]): FieldRule {
  const isGiven = (body: unknown, path: string) => typeof valueAt(body, path) === 'string';
  const schemas = groups.map((group) =>
    combined(
      'allOf',
      group.map((path) => mustHave(path, 'string')),
    ),
  );
  return {
    schema: combined('anyOf', schemas),
    problem: (body) => {
      if (groups.some((group) => group.every((path) => isGiven(body, path)))) return undefined;
      const [first = [], ...others] = groups;
      const field = first.find((path) => !isGiven(body, path)) ?? '';
      const or = others.map((group) => `, or ${group.join(' and ')}`).join('');
      return { field, message: `is required: a non-empty text${or}` };
    },
  };
}

/** A rule that applies where a text has one of some values. */
export function where(path: string, values: readonly string[], rule: FieldRule): FieldRule {
  const name = path.split('.').at(-1) ?? path;
  const isOne = nested(path, (rest) => ({ properties: { [rest]: { enum: values } }, required: [name] }));
  return {
    schema: { anyOf: [{ not: isOne }, rule.schema] },
    problem: (body) =>
      values.some((value) => value === valueAt(body, path)) ? rule.problem(body) : undefined,
  };
}

function mustHave(path: string, type: 'number' | 'string'): Json {
  return nested(path, (name) => ({ properties: { [name]: { type } }, required: [name] }));
}

/** A JSON Schema for the object in which the last name of a path stands, inside those around it. */
function nested(path: string, last: (name: string) => Json): Json {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return last(name);
  return { properties: { [name]: { type: 'object', ...nested(rest.join('.'), last) } }, required: [name] };
}
