import { badRequest } from '../error.ts'
import { isJsonObject, type JsonObject, own } from '../json.ts'
import type { AttributeIndex, AttributeNode, SchemaNode } from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { createWorkBudget, type WorkBudget } from '../work-budget.ts'
import { respellResource, respellValue } from './names.ts'
import { collectSearchedTexts } from './position-index.ts'
import type { Rules } from './rules.ts'
import type { Operation } from './types.ts'
import { type ListOptions, WorkingList } from './working-list.ts'

/** The state that all operations in a request share. */
export interface Context {
  readonly draft: Draft
  readonly rules: Rules
}

/** The operations' limits. */
interface DraftLimits extends Pick<ListOptions, 'maxValues'> {
  /** By default a new budget, created when work is charged to it. */
  readonly budget: WorkBudget | undefined
}

/**
 * A resource being patched. A part is copied before it is written, and the other parts are shared with the original
 * resource. Multi-valued attributes are kept as lists that many operations can change in one pass.
 */
export class Draft {
  readonly index: AttributeIndex
  private readonly given: JsonObject
  private readonly original: JsonObject
  private root: JsonObject
  private lists: Map<AttributeNode, WorkingList> | null = null
  private readonly operations: readonly Operation[]
  private readonly maxValues: number
  private spent: WorkBudget | undefined
  /** The values operations may search for; computed for the first list. */
  private texts: ReadonlySet<string> | null = null

  constructor(
    resource: JsonObject,
    index: AttributeIndex,
    operations: readonly Operation[],
    { budget, maxValues }: DraftLimits,
  ) {
    this.index = index
    this.operations = operations
    this.maxValues = maxValues
    this.spent = budget
    this.given = resource
    this.original = respellResource(resource, index)
    this.root = this.original
  }

  /** The request's budget. */
  get budget(): WorkBudget {
    this.spent ??= createWorkBudget()
    return this.spent
  }

  /** Returns a top-level attribute's value, or undefined. */
  get(node: AttributeNode): unknown {
    const list = this.lists?.get(node)
    if (list) return list.values()
    const value = this.read(node)
    if (Array.isArray(value)) this.budget.spend(value.length)
    return value
  }

  /** Sets a top-level attribute to a different value, or removes it. */
  replace(node: AttributeNode, value: unknown): void {
    this.lists?.delete(node)
    this.write(node, value)
  }

  /** Returns a multi-valued attribute's values, for changes in place. */
  list(node: AttributeNode): WorkingList {
    this.lists ??= new Map()
    const known = this.lists.get(node)
    if (known) return known
    const value = this.read(node)
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    this.texts ??= collectSearchedTexts(this.operations)
    const { budget, maxValues, texts: wanted } = this
    const list = new WorkingList(node, values, { budget, maxValues, wanted })
    this.lists.set(node, list)
    return list
  }

  /** Returns a multi-valued part's values, for changes in place. They are few, but each operation lists them again. */
  listOfPart(part: AttributeNode, current: unknown): WorkingList {
    const values = Array.isArray(current) ? current : current === undefined ? [] : [current]
    const { budget, maxValues } = this
    budget.spend(values.length * STEPS_OF_ENTRY)
    return new WorkingList(part, values, { wanted: null, budget, maxValues })
  }

  /** Removes all members of an extension. */
  removeExtension({ container, attributes }: SchemaNode): void {
    if (container === null) return
    for (const node of attributes.values()) this.lists?.delete(node)
    if (!Object.hasOwn(this.root, container)) return
    this.copyRoot()
    delete this.root[container]
    this.listSchema(container, false)
  }

  /** Returns the changed resource, or the original resource if nothing changed. */
  finish(): JsonObject {
    if (this.lists !== null) this.finishLists(this.lists)
    if (this.root === this.original) return this.given
    for (const schema of this.index.schemas.values()) this.requireWhole(schema)
    return this.root
  }

  private finishLists(lists: ReadonlyMap<AttributeNode, WorkingList>): void {
    for (const [node, list] of lists) {
      if (!list.changed) continue
      const values = list.finish()
      this.write(node, values.length === 0 ? undefined : values)
    }
  }

  /** Checks that a new extension has its required attributes (RFC 7643 §2.2). */
  private requireWhole(schema: SchemaNode): void {
    const { container, id, attributes } = schema
    if (container === null || !Object.hasOwn(this.root, container)) return
    if (Object.hasOwn(this.original, container)) return
    const holder = this.holder(schema)
    for (const { name, required } of attributes.values()) {
      if (required && !Object.hasOwn(holder, name)) {
        throw badRequest('invalidValue', `${id}:${name} is required`)
      }
    }
  }

  private read(node: AttributeNode): unknown {
    const holder = this.holder(node.schema)
    if (!Object.hasOwn(holder, node.name)) return undefined
    return respellValue(holder[node.name] ?? undefined, node)
  }

  private holder({ container }: SchemaNode): JsonObject {
    if (container === null) return this.root
    const holder = own(this.root, container)
    return isJsonObject(holder) ? holder : {}
  }

  private write({ name, schema }: AttributeNode, value: unknown): void {
    this.copyRoot()
    const { container } = schema
    if (container === null) {
      assign(this.root, name, value)
      return
    }
    const isCopied = this.root[container] !== this.original[container]
    const holder = isCopied ? this.holder(schema) : { ...this.holder(schema) }
    assign(holder, name, value)
    // RFC 7644 §3.5.2: `schemas` lists an extension as long as the extension has a member.
    const holds = Object.keys(holder).length > 0
    assign(this.root, container, holds ? holder : undefined)
    this.listSchema(container, holds)
  }

  private listSchema(urn: string, listed: boolean): void {
    const schemas = Array.isArray(this.root.schemas) ? this.root.schemas : [this.index.core.id]
    const isUrn = (one: unknown): boolean => typeof one === 'string' && fold(one) === fold(urn)
    if (schemas.some(isUrn) === listed) return
    this.root.schemas = listed ? [...schemas, urn] : schemas.filter((one) => !isUrn(one))
  }

  private copyRoot(): void {
    if (this.root === this.original) this.root = { ...this.original }
  }
}

function assign(holder: JsonObject, name: string, value: unknown): void {
  if (value === undefined) delete holder[name]
  else holder[name] = value
}

/** The cost of copying a part's value and adding it to an index. */
const STEPS_OF_ENTRY = 3
