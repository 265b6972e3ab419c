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
function combined(word: 'allOf' | 'anyOf' | 'oneOf', schemas: readonly Json[]): Json {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { [word]: schemas };
}

/** Exactly one of several fields must be given, each by its path. */
export function exactlyOne(type: 'number' | 'string', paths: readonly [string, ...string[]]): FieldRule {
  const atLeast = atLeastOne(type, paths);
  return {
    schema: { oneOf: paths.map((path) => mustHave(path, type)) },
    problem: (body) => {
      const [first, second] = paths.filter((path) => typeof valueAt(body, path) === type);
      if (second === undefined) return atLeast.problem(body);
      return { field: second, message: `cannot stand beside ${first}: give one of the two` };
    },
  };
}

/** At least one of several fields must be given, each by its path. */
export function atLeastOne(type: 'number' | 'string', paths: readonly [string, ...string[]]): FieldRule {
  const [field, ...others] = paths;
  const expected = type === 'number' ? 'a finite number greater than 0' : 'a non-empty text';
  return {
    schema: { anyOf: paths.map((path) => mustHave(path, type)) },
    problem: (body) =>
      paths.some((path) => typeof valueAt(body, path) === type)
        ? undefined
        : { field, message: `is required: ${expected} here or in ${others.join(', ')}` },
  };
}

/** One of several groups of texts must be given as a whole. The message names the first one. */
export function oneGroup(groups: readonly (readonly string[])[]): FieldRule {
  const isGiven = (body: unknown, path: string) => typeof valueAt(body, path) === 'string';
  return {
    schema: combined(
      'anyOf',
      groups.map((group) =>
        combined(
          'allOf',
          group.map((path) => mustHave(path, 'string')),
        ),
      ),
    ),
    problem: (body) => {
      if (groups.some((group) => group.every((path) => isGiven(body, path)))) return undefined;
      const field = groups[0]?.find((path) => !isGiven(body, path)) ?? '';
      const others = groups.slice(1).map((group) => group.join(' and '));
      const or = others.length === 0 ? '' : `, unless ${others.join(' or ')} are given`;
      return { field, message: `is required: must be a non-empty text${or}` };
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
