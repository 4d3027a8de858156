// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IPrimeOrders} from "../IPrimeOrders.sol";
import {ActionKind, OrderFlags, OrderStatus, TimeInForce} from "../PrimeConstants.sol";
import {MockAccounts} from "./MockAccounts.sol";
import {MockWrites} from "./MockWrites.sol";

/// @title Stands in for the order book at 0x…0100 in unit tests: forge, Hardhat, anvil.
/// @notice Put its code at that address (`PrimeOrdersForge.install()`, or `hardhat_setCode` and `anvil_setCode`); deployed anywhere else it refuses all writes.
///
/// As on a Prime chain: writes are checked with the same errors, make the same logs and tickets, are carried out one block
/// later, and are visible to reads two blocks later; deposits, withdrawals, positions, margin and refusals follow the same
/// arithmetic. What stands on its own: nothing matches orders with each other. The test is the rest of the market: it says what
/// a taker finds ({setBook}), when a resting order trades ({fill}), and the mark price ({setMark}).
///
/// A read that would not show what is due reverts and says to call {carryOut}: a view can not carry it out itself.
contract PrimeOrdersMock is MockWrites, MockAccounts {
    /// @notice A write was refused when its turn came: on a chain the event `action_rejected`, with the same reason.
    event Refused(uint64 indexed ticket, string reason);

    struct Record {
        uint64 id;
        uint8 status;
        uint256 filled;
    }

    uint16 private constant DEPTH_MAX = 100;

    mapping(address => mapping(uint128 => Record)) private _records;
    mapping(address => mapping(address => bool)) private _agents;
    mapping(address => mapping(address => bool)) private _revoked;
    mapping(bytes32 => bytes) private _answers;

    // ---- What the test says ----

    /// @notice Opens a market; ids count from 1. Its decimals are 0 and 18, as those of a market that is added without.
    function addMarket(string calldata symbol, uint256 tick, uint256 lot, uint32 imBps, uint32 mmBps) external returns (uint32 id) {
        id = uint32(_marketIds.length + 1);
        _marketIds.push(id);
        _markets[id] = Market(symbol, tick, lot, imBps, mmBps, 0, 0, 0, 18);
    }

    /// @notice How people write amounts of a market; no rule reads it.
    function setDecimals(uint32 marketId, uint8 baseDecimals, uint8 quoteDecimals) external {
        Market storage found = _known(marketId);
        (found.baseDecimals, found.quoteDecimals) = (baseDecimals, quoteDecimals);
    }

    /// @notice What others offer in a market from now on, best first. New orders trade with it; it trades with nothing by itself.
    function setBook(uint32 marketId, Level[] calldata bids, Level[] calldata asks) external {
        _known(marketId);
        carryOut();
        _setLevels(_offers[marketId][true], bids);
        _setLevels(_offers[marketId][false], asks);
    }

    /// @notice The mark price, wei per base unit; 0 is none, and the last price counts instead.
    function setMark(uint32 marketId, uint256 price) external {
        _known(marketId);
        carryOut();
        _markets[marketId].mark = price;
    }

    /// @notice Wei of the insurance fund.
    function setInsuranceFund(uint256 amount) external {
        _insurance = amount;
    }

    /// @notice Somebody trades with a resting order, at its price.
    function fill(uint64 orderId, uint256 size) external {
        carryOut();
        Order storage resting = _orders[orderId];
        require(resting.remaining >= size && size > 0, "PrimeOrdersMock: the order does not rest with so much");
        _trade(resting, resting.price, size);
        _record(orderId, resting);
        if (resting.remaining == 0) _close(orderId, OrderStatus.FILLED);
    }

    /// @notice What a read answers from now on, whatever the book holds: for states that are tedious to bring about.
    /// @param read   calldata of the read
    /// @param answer ABI encoding of what it returns; empty takes it back
    function setAnswer(bytes calldata read, bytes calldata answer) external {
        _answers[keccak256(read)] = answer;
    }

    /// @notice Carries out all that a read in this block shows: the writes of blocks up to two before.
    /// @dev A write does the same before anything else.
    function carryOut() public override {
        while (_isDue()) {
            (uint256 first, uint256 end) = _takeBlock();
            for (uint256 at = first; at < end; at++) if (_queue[at].kind == ActionKind.DEPOSIT) _carryOut(_queue[at]);
            for (uint256 at = first; at < end; at++) if (_queue[at].kind != ActionKind.DEPOSIT) _carryOut(_queue[at]);
        }
    }

    // ---- Reads ----

    modifier shown() {
        bytes memory answer = _answers[keccak256(msg.data)];
        if (answer.length > 0) {
            assembly ("memory-safe") {
                return(add(answer, 32), mload(answer))
            }
        }
        require(!_isDue(), "PrimeOrdersMock: writes wait for this block: call carryOut() first");
        _;
    }

    function markets() external view shown returns (uint32[] memory) {
        return _marketIds;
    }

    function market(uint32 marketId)
        external
        view
        shown
        returns (string memory, uint256, uint256, uint32, uint32, uint8, uint8)
    {
        Market storage found = _known(marketId);
        return (
            found.symbol, found.tick, found.lot, found.imBps, found.mmBps, found.baseDecimals, found.quoteDecimals
        );
    }

    function bestPrices(uint32 marketId) external view shown returns (uint256 bid, uint256 ask, uint256, uint256) {
        Market storage found = _known(marketId);
        Level[] memory bids = _levels(marketId, true, 1);
        Level[] memory asks = _levels(marketId, false, 1);
        if (bids.length > 0) bid = bids[0].price;
        if (asks.length > 0) ask = asks[0].price;
        return (bid, ask, found.last, found.mark);
    }

    function book(uint32 marketId, uint16 depth) external view shown returns (Level[] memory, Level[] memory) {
        _known(marketId);
        require(depth <= DEPTH_MAX, "depth is more than 100");
        return (_levels(marketId, true, depth), _levels(marketId, false, depth));
    }

    function position(address owner, uint32 marketId) external view shown returns (int256, uint256) {
        _known(marketId);
        Position storage held = _positions[owner][marketId];
        return (held.size, held.entry);
    }

    function account(address owner) external view shown returns (int256, int256, uint256, uint256, uint256) {
        Margin memory margin = _marginOf(owner);
        return (_collateral[owner], margin.equity, margin.initial, margin.maintenance, _withdrawable(owner, margin));
    }

    function isLiquidatable(address owner) external view shown returns (bool) {
        return _isLiquidatable(_marginOf(owner));
    }

    function order(uint64 orderId) external view shown returns (address, uint32, bool, uint256, uint256) {
        Order storage found = _orders[orderId];
        if (found.remaining == 0) return (address(0), 0, false, 0, 0);
        return (found.owner, found.marketId, found.isBuy, found.price, found.remaining);
    }

    function orderByClientId(address owner, uint128 clientId) external view shown returns (uint64, uint8, uint256) {
        Record storage found = _records[owner][clientId];
        return (found.id, found.status, found.filled);
    }

    function insuranceFund() external view shown returns (uint256) {
        return _insurance;
    }

    /// @notice A commitment that changes with each write; nothing can be proven with it.
    function clobRoot() external view shown returns (bytes32) {
        return keccak256(abi.encode(_ticket, _head));
    }

    // ---- What writes do ----

    function _carryOut(Write storage write) private {
        string memory reason;
        if (write.kind == ActionKind.ORDER) reason = _submit(write.account, write.data);
        else if (write.kind == ActionKind.CANCEL) reason = _cancel(write.account, abi.decode(write.data, (uint64)));
        else if (write.kind == ActionKind.CANCEL_BY_CLIENT_ID)
            reason = _cancelByClientId(write.account, abi.decode(write.data, (uint128)));
        else if (write.kind == ActionKind.CANCEL_ALL) _cancelAll(write.account, abi.decode(write.data, (uint32)));
        else if (write.kind == ActionKind.DEPOSIT) _credit(write.data);
        else if (write.kind == ActionKind.WITHDRAW) reason = _withdraw(write.account, write.data);
        else if (write.kind == ActionKind.LIQUIDATE) reason = _liquidate(abi.decode(write.data, (address)));
        else reason = _changeAgent(write);
        if (bytes(reason).length > 0) emit Refused(write.ticket, reason);
    }

    function _credit(bytes memory data) private {
        (address owner, uint256 amount) = abi.decode(data, (address, uint256));
        _collateral[owner] += int256(amount);
    }

    function _withdraw(address owner, bytes memory data) private returns (string memory) {
        (uint256 amount, address to) = abi.decode(data, (uint256, address));
        if (amount > _withdrawable(owner, _marginOf(owner))) return "insufficient_collateral";
        require(address(this).balance >= amount, "PrimeOrdersMock: others owe this payment: send the mock their ether");
        _collateral[owner] -= int256(amount);
        _pay(to, amount);
        return "";
    }

    function _submit(address owner, bytes memory data) private returns (string memory reason) {
        Order memory made;
        uint8 tif;
        made.owner = owner;
        (made.marketId, made.isBuy, made.price, made.remaining, tif, made.flags, made.clientId) =
            abi.decode(data, (uint32, bool, uint256, uint256, uint8, uint8, uint128));
        made.size = made.remaining;
        Record storage record = _records[owner][made.clientId];
        if (made.clientId != 0 && record.status == OrderStatus.OPEN) return "duplicate_client_id";
        reason = _refusal(made, tif);
        if (bytes(reason).length == 0) _place(made, tif);
        else if (made.clientId != 0) _records[owner][made.clientId] = Record(0, OrderStatus.REJECTED, 0);
    }

    function _refusal(Order memory made, uint8 tif) private view returns (string memory) {
        Market storage traded = _markets[made.marketId];
        if (traded.tick == 0) return "unknown_market";
        if (made.price % traded.tick != 0) return "tick";
        if (made.size % traded.lot != 0) return "lot";
        bool reduceOnly = made.flags & OrderFlags.REDUCE_ONLY != 0;
        bool postOnly = made.flags & OrderFlags.POST_ONLY != 0;
        if (postOnly && tif != TimeInForce.GTC) return "bad_flags";
        if (reduceOnly && _reducible(made) == 0) return "reduce_only";
        if (postOnly && _available(made) > 0) return "post_only";
        if (!_isCovered(made)) return "insufficient_margin";
        return "";
    }

    /// @dev The order trades with what others offer; what is left rests or ends.
    function _place(Order memory made, uint8 tif) private {
        uint256 wanted = made.size;
        if (made.flags & OrderFlags.REDUCE_ONLY != 0 && _reducible(made) < wanted) wanted = _reducible(made);
        uint64 id = ++_lastOrderId;
        _orders[id] = made;
        Order storage placed = _orders[id];
        bool isKilled = tif == TimeInForce.FOK && _available(made) < wanted;
        if (!isKilled) _take(placed, wanted);
        _record(id, placed);
        if (placed.remaining == 0) _close(id, OrderStatus.FILLED);
        else if (tif == TimeInForce.GTC && wanted == made.size) _rest(id, placed);
        else _close(id, OrderStatus.CANCELLED);
    }

    function _record(uint64 id, Order storage placed) private {
        if (placed.clientId != 0)
            _records[placed.owner][placed.clientId] = Record(id, OrderStatus.OPEN, placed.size - placed.remaining);
    }

    function _close(uint64 id, uint8 status) private {
        Order storage ended = _orders[id];
        if (ended.clientId != 0) _records[ended.owner][ended.clientId].status = status;
        ended.isFilled = status == OrderStatus.FILLED;
        ended.remaining = 0;
        _forget(id, ended);
    }

    function _cancel(address owner, uint64 id) private returns (string memory) {
        Order storage found = _orders[id];
        if (found.owner == address(0)) return "unknown_order";
        if (found.owner != owner) return "not_owner";
        if (found.remaining == 0) return found.isFilled ? "order_filled" : "order_cancelled";
        _close(id, OrderStatus.CANCELLED);
        return "";
    }

    function _cancelByClientId(address owner, uint128 clientId) private returns (string memory) {
        Record storage record = _records[owner][clientId];
        if (record.status != OrderStatus.OPEN) return "unknown_client_id";
        _close(record.id, OrderStatus.CANCELLED);
        return "";
    }

    function _cancelAll(address owner, uint32 marketId) private {
        uint64[] memory open = _openOrders[owner];
        for (uint256 at = 0; at < open.length; at++)
            if (marketId == 0 || _orders[open[at]].marketId == marketId) _close(open[at], OrderStatus.CANCELLED);
    }

    /// @dev Closes at the mark price against nobody. On a chain the book, the insurance fund and opposite positions take over.
    function _liquidate(address owner) private returns (string memory) {
        if (!_isLiquidatable(_marginOf(owner))) return "not_liquidatable";
        _cancelAll(owner, 0);
        _closePositions(owner);
        return "";
    }

    function _changeAgent(Write storage write) private returns (string memory) {
        if (write.kind == ActionKind.APPROVE_AGENT) {
            (address approved, , ) = abi.decode(write.data, (address, uint64, uint32));
            if (_revoked[write.account][approved]) return "agent_revoked";
            _agents[write.account][approved] = true;
            return "";
        }
        address agent = abi.decode(write.data, (address));
        if (!_agents[write.account][agent]) return "unknown_agent";
        _agents[write.account][agent] = false;
        _revoked[write.account][agent] = true;
        return "";
    }
}
