// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PRIME_ORDERS} from "../IPrimeOrders.sol";

/// @title A vault whose money makes a market.
/// @notice Works in rounds. Between rounds all money lies here as wei, and people come and go at a price that nobody can move. During a
/// round the money is collateral, the operator quotes, and nobody comes or goes: what shares are worth then depends on a
/// mark price, which somebody might push.
/// @dev Shows what matters with the order book: writes work one block later, reads are one block old, and money that is on its
/// way is in neither place. So a round ends only when the wei are back, not when they were asked for.
contract MarketMakerVault {
    uint32 public immutable marketId;
    address public immutable operator;
    /// @notice Most base units that the vault may be long or short before it stops quoting that side.
    uint256 public immutable positionMax;

    mapping(address => uint256) public sharesOf;
    uint256 public totalShares;
    bool public isTrading;
    /// @notice The balance from which on the money of the round is back; 0 while nothing is asked back.
    uint256 public expectedBalance;
    uint128 private _lastClientId;
    bool private _entered;

    uint8 private constant GTC = 0;
    uint8 private constant IOC = 1;
    uint8 private constant POST_ONLY = 1;
    uint8 private constant REDUCE_ONLY = 2;
    uint256 private constant BPS = 10_000;
    /// @dev Against the first depositor who gives wei away to make a share too dear for the second one.
    uint256 private constant VIRTUAL = 1e6;

    event Joined(address indexed owner, uint256 amount, uint256 shares);
    event Left(address indexed owner, uint256 amount, uint256 shares);
    event Quoted(uint256 bid, uint256 ask, uint128 bidId, uint128 askId);
    event RoundStarted(uint256 amount);
    event RoundEnded(uint256 amount);

    error NotOperator();
    error Trading();
    error NotTrading();
    error NothingToDo();
    error PositionIsOpen(int256 size);
    error MoneyIsOnItsWay(uint256 balance, uint256 expected);
    error PaymentFailed();
    error Reentered();

    constructor(uint32 marketId_, address operator_, uint256 positionMax_) {
        marketId = marketId_;
        operator = operator_;
        positionMax = positionMax_;
    }

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator();
        _;
    }

    modifier notReentered() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    // ---- Between rounds ----

    function join() external payable notReentered returns (uint256 shares) {
        if (isTrading) revert Trading();
        // The value is in the balance already.
        uint256 before = address(this).balance - msg.value;
        shares = (msg.value * (totalShares + VIRTUAL)) / (before + 1);
        if (shares == 0) revert NothingToDo();
        sharesOf[msg.sender] += shares;
        totalShares += shares;
        emit Joined(msg.sender, msg.value, shares);
    }

    function leave(uint256 shares) external notReentered returns (uint256 amount) {
        if (isTrading) revert Trading();
        amount = (shares * (address(this).balance + 1)) / (totalShares + VIRTUAL);
        // First the books, then the money: who is paid may call back.
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
        emit Left(msg.sender, amount, shares);
    }

    // ---- A round ----

    function startRound() external onlyOperator notReentered {
        if (isTrading) revert Trading();
        uint256 amount = address(this).balance;
        if (amount == 0) revert NothingToDo();
        isTrading = true;
        PRIME_ORDERS.deposit{value: amount}();
        emit RoundStarted(amount);
    }

    /// @notice Takes the old quotes back and puts new ones around the mark price, none that would take.
    /// @param spreadBps distance of each side from the mark
    /// @dev Cancels run before orders in the next block, so the new quotes never meet the old ones.
    function quote(uint256 spreadBps, uint256 size) external onlyOperator {
        if (!isTrading || expectedBalance != 0) revert NotTrading();
        (, , uint256 last, uint256 mark) = PRIME_ORDERS.bestPrices(marketId);
        uint256 middle = mark != 0 ? mark : last;
        if (middle == 0 || spreadBps >= BPS) revert NothingToDo();
        (, uint256 tick, , , , , ) = PRIME_ORDERS.market(marketId);
        uint256 bid = ((middle * (BPS - spreadBps)) / BPS / tick) * tick;
        uint256 ask = ((middle * (BPS + spreadBps) + BPS * tick - 1) / (BPS * tick)) * tick;
        (int256 position, ) = PRIME_ORDERS.position(address(this), marketId);
        PRIME_ORDERS.cancelAll(marketId);
        uint128 bidId = _quoteSide(true, bid, size, position < int256(positionMax));
        uint128 askId = _quoteSide(false, ask, size, position > -int256(positionMax));
        emit Quoted(bid, ask, bidId, askId);
    }

    /// @notice Closes the position at a price or better; for anybody else's eyes it is an order like others.
    function unwind(uint256 limit) external onlyOperator {
        (int256 position, ) = PRIME_ORDERS.position(address(this), marketId);
        PRIME_ORDERS.cancelAll(marketId);
        if (position == 0) return;
        uint256 size = position > 0 ? uint256(position) : uint256(-position);
        PRIME_ORDERS.submitOrder(marketId, position < 0, limit, size, IOC, REDUCE_ONLY, ++_lastClientId);
    }

    /// @notice Asks all collateral back. May be called again when the order book refused it (profit may not be paid yet).
    function endRound() external onlyOperator {
        if (!isTrading) revert NotTrading();
        (int256 position, ) = PRIME_ORDERS.position(address(this), marketId);
        if (position != 0) revert PositionIsOpen(position);
        PRIME_ORDERS.cancelAll(marketId);
        (, , , , uint256 amount) = PRIME_ORDERS.account(address(this));
        if (amount == 0) revert NothingToDo();
        expectedBalance = address(this).balance + amount;
        PRIME_ORDERS.withdraw(amount, address(this));
    }

    /// @notice Ends the round once the money is here. Anybody may, so that an operator who sleeps locks nobody in after {endRound}.
    /// @dev Next to nothing may stay behind: whoever gives the vault a wei of collateral, which nobody can refuse, would keep everybody in.
    function settleRound() external {
        if (!isTrading || expectedBalance == 0) revert NotTrading();
        (int256 collateral, , , , ) = PRIME_ORDERS.account(address(this));
        uint256 balance = address(this).balance;
        if (balance < expectedBalance || collateral > int256(balance / BPS)) revert MoneyIsOnItsWay(balance, expectedBalance);
        isTrading = false;
        expectedBalance = 0;
        emit RoundEnded(balance);
    }

    function _quoteSide(bool isBuy, uint256 price, uint256 size, bool allowed) private returns (uint128 id) {
        if (!allowed || price == 0) return 0;
        id = ++_lastClientId;
        PRIME_ORDERS.submitOrder(marketId, isBuy, price, size, GTC, POST_ONLY, id);
    }
}
